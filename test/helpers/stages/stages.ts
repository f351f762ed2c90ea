import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../src/base/package-root.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import type { StageEnd, StageProgram } from '../../../src/stage.ts'
import { type AnyContext, strategyOf } from '../runs/trial.ts'

const folder = join(packageRoot(), 'fixtures/stages')

/** The programs that tests run as stages, by name. */
const stagePrograms: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
)

/** A stage that runs one of the programs, or code of its own. */
export const programOf = (
  name: string,
  change: Partial<StageProgram> & { code?: string } = {},
): StageProgram => {
  const { code, ...rest } = change
  return {
    command: ['node', `{stage}/${name}`],
    files: { ...stagePrograms, ...(code !== undefined && { [name]: code }) },
    state: '{}',
    timeoutMs: 20_000,
    ...rest,
  }
}

/** A stage with code of its own, which begins with an open client `bench` that has read the hello. */
export const stageOf = (code: string, change: Partial<StageProgram> = {}): StageProgram =>
  programOf('own.mjs', {
    code: `import { writeFileSync } from 'node:fs'
import { open, readState, writeState } from './client.mjs'
const bench = open()
await bench.hello()
${code}
bench.close()
`,
    ...change,
  })

/** A strategy that runs stages in turn, adopts the files of each and hands on its state; its own state holds what each came to. */
export const chainOf = (...stages: readonly (readonly [id: string, program: StageProgram])[]) =>
  strategyOf(async (context: AnyContext) => {
    const ends: unknown[] = []
    let state = '{}'
    for (const [id, program] of stages) {
      const { workspace, ...end } = await context.stage(id, { ...program, state })
      context.workspace.adopt(workspace)
      state = end.state ?? state
      ends.push(end)
    }
    return {
      stopReason: 'done',
      answer: '42',
      state: { ends, files: filesOf(context), spent: context.spent() },
    }
  })

const filesOf = ({ workspace }: AnyContext) =>
  Object.fromEntries(workspace.list().map((path) => [path, workspace.read(path)]))

/** How a stage of `chainOf` ended. */
export type End = StageEnd

/** Returns how the stages of a played chain ended. */
export const endsOf = ({ record }: { record: TrialRecord }): End[] => (record.state?.ends ?? []) as End[]
