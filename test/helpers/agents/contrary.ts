import { agentOf } from '../runs/trial.ts'

export const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Creates an agent whose real and virtual times are opposed: the call that is longest in virtual time ends first. */
export const contrary = agentOf(async ({ prompt }) => {
  const virtual = Number(/takes (\d+)/.exec(prompt)?.[1] ?? 10)
  await wait(30 - virtual / 10)
  return { text: `done: ${prompt.slice(-20)}`, durationMs: virtual }
})
