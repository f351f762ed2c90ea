import { UserError } from '../../text/errors.ts'
import { createNoOp, createOracle } from '../controls.ts'
import type { Provider } from '../provider.ts'
import { loadScripted } from '../scripted.ts'
import { createSimulated } from '../simulated/simulated.ts'

/** Simulated agents. */
export const simulated: Provider = {
  name: 'simulated',
  reaches: 'nothing',
  tools: 'called',
  summary:
    'Answers from a seeded behaviour profile: no model, no network, no cost; files and grading are real.',
  create: (_, { profile, ...environment }) => {
    if (profile) return createSimulated({ profile, ...environment })
    const fix = 'Run in dev mode or name a profile.'
    throw new UserError({ where: 'agent simulated', what: 'needs a behaviour profile', fix })
  },
}

/** The control that submits the reference solution. */
export const oracle: Provider = {
  name: 'oracle',
  reaches: 'nothing',
  summary: 'Submits the reference solution and approves everything; it must pass every task.',
  create: (_, { tasks }) => createOracle(tasks),
}

/** The control that submits nothing. */
export const noOp: Provider = {
  name: 'no-op',
  reaches: 'nothing',
  summary: 'Submits nothing and approves nothing; it must fail every task.',
  create: () => createNoOp(),
}

/** Agents of the user's modules. */
export const scripted: Provider = {
  name: 'scripted',
  reaches: 'module',
  tools: 'called',
  summary: 'Replies from a module of yours: a function of the request or a list of replies.',
  model: 'PATH',
  create: (path, { cwd }) => loadScripted(path, cwd),
}
