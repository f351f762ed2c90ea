import type { StageErrorReason } from '../../schema/stage/protocol.ts'

/** The exit codes of `ask` in a stage, by the reason for which there is no reply. docs/guides/stages.md lists them. */
export const exitCodes: Readonly<Record<StageErrorReason, number>> = {
  agent: 1,
  invalid: 2,
  limit: 3,
  busy: 4,
  closed: 5,
}
