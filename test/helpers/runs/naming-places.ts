import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../../src/api.ts'
import type { RunOptions } from '../../../src/commands/config/run-options.ts'
import { confirmCost, printEstimate } from '../../../src/commands/session/dry-run.ts'
import { executeRun } from '../../../src/commands/session/execute.ts'
import { digest } from '../../../src/text/canonical-json.ts'
import type { KindOfAgent } from '../agents/kinds-of-agents.ts'
import { documentPlaces } from './document-places.ts'
import { began, configFile, type NamingPlace, optionsOf, plan, type Tried, tools } from './naming-run.ts'

/** A method of several roles, which asks its auditor. */
const several = 'sequential[maxInner=1,maxOuter=1]'

export const namingPlaces: readonly NamingPlace[] = [
  {
    name: '--agents NAME',
    begin: (tried) => began(tried, { ...optionsOf(tried), agents: tried.kind.name }),
  },
  {
    name: '--agents A,NAME',
    begin: (tried) =>
      began(tried, { ...optionsOf(tried), agents: `${tried.kind.beside},${tried.kind.name}` }),
  },
  {
    name: '--agents LABEL',
    begin: (tried) => began(tried, { config: configFile(tried), agents: tried.kind.label }),
  },
  {
    name: '--agent ROLE=NAME',
    begin: (tried) =>
      began(tried, { ...optionsOf(tried), agents: tried.kind.beside, agent: [`solver=${tried.kind.name}`] }),
  },
  {
    name: '--agent ROLE=NAME beside a simulated agent',
    is: 'mixed',
    begin: (tried) =>
      began(tried, {
        ...{ ...optionsOf(tried), methods: several },
        ...{ agents: 'simulated', agent: [`auditor=${tried.kind.name}`] },
      }),
  },
  {
    name: '--agent ROLE=LABEL',
    begin: (tried) =>
      began(tried, {
        ...{ config: configFile(tried), agents: tried.kind.beside },
        agent: [`solver=${tried.kind.label}`],
      }),
  },
  {
    name: 'run.agents of the config file',
    is: 'default',
    begin: (tried) => began(tried, { config: configFile(tried, `run: { agents: ${tried.kind.label} }\n`) }),
  },
  {
    name: 'roles of the config file',
    is: 'default',
    begin: (tried) => began(tried, { config: configFile(tried, `roles: { solver: ${tried.kind.label} }\n`) }),
  },
  {
    name: 'methods.METHOD.roles of the config file',
    is: 'default',
    begin: (tried) =>
      began(tried, {
        config: configFile(tried, `methods: { baseline: { roles: { solver: ${tried.kind.label} } } }\n`),
      }),
  },
  {
    name: '--judges NAME beside a simulated agent',
    is: 'mixed',
    begin: (tried) =>
      began(tried, {
        ...{ ...optionsOf(tried), tasks: openTask(tried.folder) },
        ...{ agents: 'simulated', judges: tried.kind.name },
      }),
  },
  {
    name: '--judges A,LABEL beside a simulated agent',
    is: 'mixed',
    begin: (tried) =>
      began(tried, {
        ...{ config: configFile(tried), tasks: openTask(tried.folder) },
        ...{ agents: 'simulated', judges: `${tried.kind.beside},${tried.kind.label}` },
      }),
  },
  {
    name: 'run.judges of the config file',
    is: 'default',
    begin: (tried) =>
      began(tried, {
        config: configFile(tried, `run: { judges: ${tried.kind.label}, agents: ${tried.kind.label} }\n`),
        tasks: openTask(tried.folder),
      }),
  },
  ...documentPlaces,
  {
    name: 'run({ agents })',
    begin: async ({ kind, mode, ...tried }) => {
      const config = configFile({ kind, mode, ...tried })
      const out = join(tried.folder, 'run')
      await run({ ...apiPlan, config, mode, out, agents: kind.label })
      return out
    },
  },
  {
    name: 'run({ agentByRole })',
    begin: async ({ kind, mode, ...tried }) => {
      const config = configFile({ kind, mode, ...tried })
      const out = join(tried.folder, 'run')
      await run({ ...apiPlan, config, mode, out, agents: kind.beside, agentByRole: { solver: kind.label } })
      return out
    },
  },
  {
    name: '--instruction FILE --agents NAME',
    begin: (tried) => {
      const instruction = join(tried.folder, 'wish.md')
      writeFileSync(instruction, 'Say 42.\n')
      return began(tried, {
        ...{ ...optionsOf(tried), tasks: undefined, instruction, agents: tried.kind.name },
      } as RunOptions)
    },
  },
  {
    name: '--dry-run',
    asksNobody: true,
    begin: async (tried) => {
      await printEstimate({ ...optionsOf(tried), ...plan, ...asked(tried) }, tools().signal)
      return undefined
    },
  },
  {
    name: '--confirm-above USD',
    asksNobody: true,
    begin: async (tried) => {
      await confirmCost(
        { ...optionsOf(tried), ...plan, ...asked(tried), epochs: '2', confirmAbove: '1000000' },
        tools().signal,
      ).catch((error: Error) => {
        // The cost of a model on loopback is unknown, and no terminal can ask.
        if (!/the run may cost more/.test(error.message)) throw error
      })
      return undefined
    },
  },
  {
    name: '--extend RUN --agents NAME',
    goesOn: true,
    begin: async (tried) => {
      const out = await began(tried, { ...optionsOf(tried), agents: tried.kind.beside })
      const { tasks: _, methods: __, ...goesOn } = plan
      await executeRun({ ...goesOn, ...optionsOf(tried), extend: out, agents: tried.kind.name }, tools())
      return out
    },
  },
  {
    name: '--resume RUN of a run in dev mode',
    goesOn: true,
    only: 'dev',
    begin: async (tried) => {
      const out = await began({ ...tried, mode: 'dev' }, { agents: 'simulated' })
      const path = join(out, 'run.json')
      const { sum: _, ...manifest } = JSON.parse(readFileSync(path, 'utf8'))
      const changed = {
        ...manifest,
        simulated: tried.kind.isSimulated,
        agents: { '*': tried.kind.name },
        ...programOf(tried.kind),
      }
      writeFileSync(path, JSON.stringify({ ...changed, sum: digest(changed) }))
      for (const file of ['records.jsonl', 'steps.jsonl']) writeFileSync(join(out, file), '')
      await executeRun({ resume: out, trustCode: true }, tools())
      return out
    },
  },
]

/** Writes a suite with one task that judges grade; gives its selection. */
function openTask(folder: string): string {
  const task = join(folder, 'open/capital')
  mkdirSync(join(task, 'solution'), { recursive: true })
  const grader = '{ kind: rubric, name: quality, votes: 1, criteria: [{ name: right, text: It is right. }] }'
  writeFileSync(
    join(task, 'task.yaml'),
    `id: capital\ntitle: A capital\noutput: answer\ngraders: [${grader}]\n`,
  )
  writeFileSync(join(task, 'instruction.md'), 'What is the capital of France?\n')
  writeFileSync(join(task, 'solution/answer.txt'), 'It is Paris.\n')
  return `native:${join(folder, 'open')}`
}

const { tasks, methods, sandbox } = plan
const apiPlan = { tasks, methods, sandbox, parallel: 1, trustCode: true }
const asked = ({ kind, mode }: Tried): RunOptions => ({ mode, agents: kind.name })

/** Returns the fields of run.json for a program that the config file describes. */
const programOf = ({ provider, name }: KindOfAgent) =>
  provider === 'cli'
    ? {
        agents: { '*': `${name}=cli` },
        agentSettings: { [`${name}=cli`]: { program: { command: ['own-agent'], output: 'text' } } },
      }
    : {}
