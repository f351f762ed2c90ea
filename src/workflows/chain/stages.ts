import { z } from 'zod'
import type { KindOfWork } from '../../ask.ts'
import type { Flow } from '../../schema/method/declaration.ts'
import { ChainState } from '../../schema/stage/chain-state.ts'
import type { StrategyContext, Workspace } from '../../strategy.ts'
import { inWords } from '../../text/issue-text.ts'

/** The stages of the chain, in order. */
export const stageNames = ['plan', 'build', 'test', 'review', 'document', 'ship'] as const
export const StageName = z.enum(stageNames)
export type StageName = z.infer<typeof StageName>

/** The roles that the stages ask. */
export const chainRoles = {
  planner: 'decide',
  builder: 'produce',
  reviewer: 'judge',
  documenter: 'summarise',
} as const satisfies Record<string, KindOfWork>
type ChainRole = keyof typeof chainRoles

/** The role that each stage asks. The others ask nobody. */
export const roleOf: Readonly<Partial<Record<StageName, ChainRole>>> = {
  plan: 'planner',
  build: 'builder',
  review: 'reviewer',
  document: 'documenter',
}

/** The stages of a round, which begin again until all of them are good. */
export const roundStages = ['build', 'test', 'review'] as const satisfies readonly StageName[]
/** The stages after the last round. */
export const lastStages = ['document', 'ship'] as const satisfies readonly StageName[]

/** Stages that do not apply to a task that wants an answer: it has no files to test, to document and to ship. */
export const notForAnswers: readonly StageName[] = ['test', 'document', 'ship']

/** Reads names of stages with colons between them. */
export const stagesIn = (text: string): StageName[] => {
  const named = text.split(':')
  return stageNames.filter((name) => named.includes(name))
}

/** Returns the roles that a chain may ask; with `only`, those of one stage. Of stages that ask nobody, it is the planner. */
export function rolesOfStages(
  stages: readonly StageName[],
  only: StageName | null,
): Readonly<Record<string, KindOfWork>> {
  const asked = (only === null ? stages : [only]).flatMap((stage) => roleOf[stage] ?? [])
  const roles = asked.length > 0 ? asked : (['planner'] as const)
  return Object.fromEntries(roles.map((role) => [role, chainRoles[role]]))
}

/** Returns whom a chain asks, in which order; with `only`, whom one stage asks. */
export function chainFlow(stages: readonly StageName[], only: StageName | null): Flow<ChainRole> {
  // A flow names somebody. `test` and `ship` ask nobody.
  if (only !== null) return { maybe: roleOf[only] ?? 'planner' }
  const has = (stage: StageName) => stages.includes(stage)
  const round: Flow<ChainRole>[] = [
    ...(has('build') ? (['builder'] as const) : []),
    // Not where the build or the tests have failed before the last round.
    ...(has('review') ? ([{ maybe: 'reviewer' }] as const) : []),
  ]
  const flow: Flow<ChainRole>[] = [
    ...(has('plan') ? (['planner'] as const) : []),
    // Nothing is mended without a builder, so nothing is done again.
    ...(has('build') ? ([{ repeat: round, most: 'rounds' }] as const) : round),
    // Not for tasks that want an answer, nor where nothing was handed in.
    ...(has('document') ? ([{ maybe: 'documenter' }] as const) : []),
  ]
  return flow.length > 0 ? flow : { maybe: 'planner' }
}

/** Returns the state that a chain begins with. Its workflow has the same id each time that the trial is run. */
export function newState({
  instruction,
  delivers,
  random,
}: Pick<StrategyContext<never, unknown>, 'instruction' | 'delivers' | 'random'>): ChainState {
  const digits = Math.floor(random('workflow') * 2 ** 32)
    .toString(16)
    .padStart(8, '0')
  return {
    version: 1,
    workflow_id: `task-${digits}`,
    issue: 'task',
    task: instruction,
    // Before any work, only a task that wants an answer is content with a text.
    output: delivers('text') ? 'answer' : 'files',
    round: 1,
    stages: [],
  }
}

/** Reads the text of a state file. Returns the state, or what is wrong with it. */
export function readState(
  text: string | undefined,
  workflow?: string,
): { state: ChainState } | { problem: string } {
  if (text === undefined) return { problem: 'the state file is missing, no text or too large' }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { problem: 'the state file holds no JSON' }
  }
  const { data, error } = ChainState.safeParse(value, inWords)
  const [issue] = error?.issues ?? []
  if (!data)
    return { problem: `the state file is not valid: ${issue?.path.join('.') || 'it'}: ${issue?.message}` }
  if (workflow !== undefined && data.workflow_id !== workflow)
    return { problem: `the state file is of the workflow ${data.workflow_id}, not of ${workflow}` }
  return { state: data }
}

/** Returns the text of a state file. */
export const stateText = (state: ChainState): string => `${JSON.stringify(state, null, 2)}\n`

const toolsOf: Readonly<Partial<Record<StageName, readonly string[]>>> = {
  build: ['build-checker.mjs'],
  test: ['test-runner.mjs', 'test-generator.mjs'],
}

/** Lets a Node without TypeScript run tests in it. It is larger than all other files together. */
const forTypeScript = 'accept-typescript.mjs'
const tools = ['build-checker.mjs', 'test-runner.mjs', 'test-generator.mjs', forTypeScript]

/** The name of the client of `bench ask` in the package, and in a stage. */
const client = { shipped: 'client.mjs', inStage: 'bench.mjs' }

/** Returns the texts of a workspace's files, by path. */
export const textsOf = ({ list, read }: Pick<Workspace, 'list' | 'read'>): Readonly<Record<string, string>> =>
  Object.fromEntries(list().map((path) => [path, read(path) ?? '']))

/** Returns the read-only files of a stage: the programs, the tools that it starts, and below `start/` what the workflow began with. */
export function stageFiles(
  stage: StageName,
  programs: Readonly<Record<string, string>>,
  start: Readonly<Record<string, string>>,
  workspace: Pick<Workspace, 'list'>,
): Readonly<Record<string, string>> {
  const hasTypeScript = stage === 'test' && workspace.list().some((path) => /\.[cm]?tsx?$/.test(path))
  const used = [...(toolsOf[stage] ?? []), ...(hasTypeScript ? [forTypeScript] : [])]
  const own = Object.entries(programs).filter(([name]) => !tools.includes(name) || used.includes(name))
  return {
    ...Object.fromEntries(
      own.map(([name, text]) => [name === client.shipped ? client.inStage : name, text] as const),
    ),
    ...Object.fromEntries(Object.entries(start).map(([path, text]) => [`start/${path}`, text] as const)),
  }
}
