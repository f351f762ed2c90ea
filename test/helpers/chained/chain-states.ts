import type { ChainState } from '../../../src/schema/stage/chain-state.ts'
import type { StageScene } from '../../../src/testing/play-stage.ts'

/** The state that played chains begin with. */
export const begun: ChainState = {
  version: 1,
  workflow_id: 'w-1',
  issue: '7',
  task: 'Add.',
  output: 'files',
  round: 1,
  stages: [],
}

type Part = Partial<ChainState>

/** The text of a state in which a stage has ended: `done`, else `failed`. */
const after = (stage: string, status: 'done' | 'failed', part: Part = {}): string =>
  JSON.stringify({
    ...begun,
    ...part,
    stages: [...(part.stages ?? []), { stage, status, detail: `${stage}!` }],
  })

/** A stage that goes well. */
export const good = (id: string, part: Part = {}, more: Partial<StageScene> = {}): StageScene => ({
  id,
  state: after(id, 'done', part),
  ...more,
})

/** A stage that ends with 1. */
export const bad = (id: string, part: Part = {}, more: Partial<StageScene> = {}): StageScene => ({
  id,
  exitCode: 1,
  state: after(id, 'failed', part),
  ...more,
})

export const failedBuild: Part = {
  build_results: {
    success: false,
    summary: { errors: 1, warnings: 0 },
    errors: [{ file: 'a.ts', line: 1, message: 'no' }],
  },
}
export const failedTests: Part = {
  test_results: {
    success: false,
    summary: { total: 2, passed: 1, failed: 1, skipped: 0 },
    failures: [{ test_name: 'adds', file: 'a.test.mjs', error: 'expected 3' }],
  },
}
export const revised: Part = { review: { verdict: 'revise', comments: 'No.', blocking: ['Add.'] } }
export const approved: Part = { review: { verdict: 'approve', comments: 'Yes.', blocking: [] } }
