import { type AskFlags, ask as askOfStage } from '../../../strategies/tools/stage-ask.ts'

/** `bench ask ROLE [PROMPT]`: asks a role inside a stage and prints the reply. Exit code: docs/guides/stages.md. */
export default async function ask(
  role: string,
  prompt: string | undefined,
  flags: AskFlags,
): Promise<number> {
  return await askOfStage(role, prompt, flags)
}
