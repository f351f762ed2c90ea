import type { StageStep } from '../../schema/ledger/stage-step.ts'
import type { StageProgram } from '../../stage.ts'

/** A call of `stage()`: its key, what it starts with, and the roles that it may ask. */
export interface StageCall {
  key: string
  /** SHA-256 of all that the stage starts with. */
  hash: string
  facts: Pick<StageStep, 'stage' | 'command' | 'programs' | 'files' | 'before'>
  program: StageProgram
  roles: readonly string[]
}
