/** `bench ask ROLE [PROMPT]`: asks a role inside a stage and prints the reply. Exit code: docs/guides/stages.md. */
export { ask as default } from '../../../strategies/tools/stage-ask.ts'
