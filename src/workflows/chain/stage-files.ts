import type { Workspace } from '../../strategy.ts'
import type { StageName } from './stages.ts'

/** The tools that each stage starts. */
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
