import type { AgentReply, AgentStage } from '../../agents/agent.ts'
import { nothingSent } from '../../agents/http/ask-once.ts'

/** What an ask has by which a program directs others: a stage, whose requests are done in the ask's branch while it works. */
export interface Hands {
  /** Does again what an attempt has requested in earlier sessions. */
  repeat(attempt: number): Promise<void>
  /** Returns a prompt with the calls that are done, and their results. */
  withCalls(prompt: string): string
  /** The result with which the program ended, if it did. */
  finished(): string | undefined
  /** Opens the stage for an attempt. Its signal aborts when the program must end; `failure` then says why. */
  open(attempt: number, seat: Seat): OpenHands
}

/** The stage of an attempt. */
export interface OpenHands {
  stage: AgentStage
  signal: AbortSignal
  failure(): Error | undefined
  /** Waits for the request in work. After that no other begins. */
  close(): Promise<void>
}

/** The place that a call takes among those in flight. A program that waits for another agent leaves it, and takes it again afterwards. */
export interface Seat {
  leave(): void
  take(): Promise<void>
}

/** Joins the places of a call into one. */
export const seatOf = (seats: readonly Seat[]): Seat => ({
  leave() {
    for (const seat of seats) seat.leave()
  },
  async take() {
    for (const seat of seats) await seat.take()
  },
})

/** Calls a program that directs others, unless it has finished: its result is its reply, whatever it said or did after it. */
export async function directed(hands: Hands, call: () => Promise<AgentReply>): Promise<AgentReply> {
  const before = hands.finished()
  const reply = before === undefined ? await call() : { ...nothingSent, durationMs: 0 }
  const text = hands.finished()
  if (text === undefined) return { text: '', ...reply }
  const { error, ...rest } = reply as AgentReply
  return { ...rest, text, ...(error?.reason === 'limit' && { error }) }
}
