import { existsSync } from 'node:fs'
import { z } from 'zod'
import { agentReach } from '../../agents/registry.ts'
import { readMethodText, splitMethods } from '../../loop/plan/method-text.ts'
import { namedFileProblem } from '../../sandbox/folders/named-file.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { recordedName } from '../agents/config-agents.ts'
import { findConfig, readConfig } from '../config/config-file.ts'
import { builtInStrategies } from '../methods/built-in-strategies.ts'
import { taskGraders, taskPathProblems } from '../trust/config-tasks.ts'

/** What a client may ask of a run: the settings of `bench run` that name neither programs nor places outside of the current folder. */
export const RunRequest = z.strictObject({
  name: z.string().describe('the name of the new run folder'),
  tasks: z
    .string()
    .default('all')
    .describe('tasks, as for bench run --tasks; NAME:PATH only below this folder'),
  methods: z.string().describe('methods, comma-separated, such as baseline,sequential[maxInner=2]'),
  agents: z
    .string()
    .optional()
    .describe('who answers (default: simulated agents, which cost nothing); others need --allow-spend'),
  epochs: z.int().positive().max(1000).optional(),
  sample: z.int().positive().optional().describe('only a sample of so many tasks'),
  seed: z.int().min(0).optional(),
  parallel: z.int().positive().max(64).optional(),
  max_cost: z.number().min(0.01).optional().describe('dollars at which a paid run stops'),
  wait_seconds: z
    .number()
    .min(0)
    .max(100)
    .default(40)
    .describe('how long to wait for the end; the run goes on after it; many clients give up after 60'),
})
export type RunRequest = z.infer<typeof RunRequest>

/**
 * Returns whether a run costs nothing and starts no program. Throws `UserError` with all that a client may not ask for; `maySpend`: the
 * person allowed runs that cost money.
 */
export function checkRequest(
  { name, tasks, methods, agents = 'simulated' }: RunRequest,
  maySpend: boolean,
): boolean {
  const named = agents.split(',').map(agentOf)
  const isFree = named.every((agent) => free.test(agent) || filesOf(agent).length > 0)
  const problems = [
    ...nameProblems(name),
    ...splitMethods(methods).flatMap(methodProblems),
    ...taskProblems(tasks),
    ...named.flatMap(agentProblems),
  ]
  if (!isFree && !maySpend)
    problems.push({
      where: `agents ${agents}`,
      what: 'may cost money or start programs',
      fix: 'Use simulated, oracle, no-op or recorded:FILE, or ask the person to start bench mcp --allow-spend USD.',
    })
  // Another run reads the config file, whose names may mean code.
  else if (!isFree) problems.push(...named.flatMap(moduleProblems))
  if (problems.length > 0) throw new UserError(problems)
  return isFree
}

function nameProblems(name: string): Problem[] {
  if (/^\w[\w.-]{0,99}$/.test(name) && !name.includes('..')) return []
  return [{ where: 'name', what: 'is no name of a folder', fix: 'Use letters, digits, dots and dashes.' }]
}

const builtIn = /^[a-z][a-z0-9-]*$/

function methodProblems(text: string): Problem[] {
  const where = `methods ${text}`
  const { name = '', document, options = '' } = readMethodText(text) ?? {}
  if (!builtIn.test(name) || document !== undefined)
    return [
      {
        where,
        what: 'is no name of a built-in method',
        fix: 'Use a name from list_methods, with options in brackets. A client cannot start code of a file.',
      },
    ]
  if (builtInStrategies().find(({ strategy }) => strategy.name === name)?.strategy.asksModels)
    return [{ where, what: `${name} starts a program`, fix: 'A person starts it: bench run.' }]
  const values = splitMethods(options).map((pair) => pair.replace(/^[^=]*=/, '').trim())
  return values.filter(isFileName).map((value) => ({
    where,
    what: `names a file: ${value}`,
    fix: 'Use options without files, and documents that come with bench. A person starts it: bench run.',
  }))
}

/** Whether an option's value names a file or folder, or looks like one that may be there later. */
const isFileName = (value: string): boolean =>
  /[/\\]|\.[a-z]\w*(?:#.*)?$/i.test(value) || existsSync(value.replace(/#.*$/, ''))

function taskProblems(tasks: string): Problem[] {
  const where = `tasks ${tasks}`
  const fix = 'Use a path below the current folder, after the name of its format.'
  return [
    ...tasks
      .split(',')
      .map((word) => word.trim())
      .filter((word) => !word.includes(':') && /^[/~]|\.\./.test(word))
      .map((word) => ({ where, what: `${word} is no path inside of the working folder`, fix })),
    ...taskPathProblems({ tasks }).map((problem) => ({ ...problem, where })),
    ...taskGraders({ tasks }).map((file) => ({ where, ...aModule(file) })),
  ]
}

/** An agent without the role that it is for. */
const agentOf = (text: string): string => text.trim().replace(/^[^:=@/]*=\s*/, '')
const free = /^(?:simulated|oracle|no-op)$/
const aModule = (file: string) => ({
  what: `${file} is a program of a file`,
  fix: 'A person starts it: bench run.',
})

/** Returns the file or folder of recorded replies; one behind a comma has no `recorded:`. */
const filesOf = (agent: string): string[] =>
  agent.startsWith('recorded:')
    ? [agent.slice('recorded:'.length).replace(/^[^@/\\]+@/, '')]
    : !agent.includes(':') && /\.jsonl(?:\.gz)?$/.test(agent)
      ? [agent]
      : []

const agentProblems = (agent: string): Problem[] => [
  ...filesOf(agent).flatMap((file) => {
    const problem = namedFileProblem('.', file)
    return problem ? [{ where: `agents ${agent}`, ...problem }] : []
  }),
  ...(agentReach(agent) === 'module' ? [{ where: `agents ${agent}`, ...aModule(agent) }] : []),
]

/** Returns a problem for a name of the config file that means code of a file. */
function moduleProblems(agent: string): Problem[] {
  const file = findConfig()
  const { agents = {} } = file === undefined ? {} : readConfig(file).config
  const entry = Object.hasOwn(agents, agent) ? agents[agent] : undefined
  const isModule = entry !== undefined && agentReach(recordedName(agent, entry)) === 'module'
  return isModule ? [{ where: `agents ${agent}`, ...aModule(agent) }] : []
}
