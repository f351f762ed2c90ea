import type { Files } from '../../../schema/task.ts'
import type { Vendor } from '../../vendor.ts'
import type { CliOutput, CliReading } from '../reading.ts'

/** One call of a CLI, before it is made. */
export interface CliCall {
  /** As the CLI knows it. */
  model: string
  /** Session to go on with, by the CLI's own id. */
  session?: string | undefined
  /** Where its provider is, as it sees it; where it has none, an address that refuses all. */
  baseUrl: string
  /** The sandbox holds it, so that it may use all its tools; else it may only edit the folder that it works in. */
  contained: boolean
}

/** A CLI agent: how it is called, what must stand in its HOME, and how its output is read. Plain data and pure functions. */
export interface CliKind extends Vendor {
  summary: string
  /** The program, found on the PATH. */
  program: string
  /** How to get it, where that is known. */
  install?: string
  /** The variable in which the program looks for its key; absent where it wants none. */
  keyInside?: string
  /** Tokens that its model takes; unknown where absent. A longer prompt is not sent. */
  window?: number
  /** Arguments of a call; the prompt comes on standard input, which is then closed. */
  args(call: CliCall): string[]
  /** Environment of a call, beside HOME, PATH and the key. */
  env(call: CliCall): Readonly<Record<string, string>>
  /** Settings in a fresh HOME: memory, telemetry and updates off. */
  home(call: CliCall): Files
  read(output: CliOutput): CliReading
}

/** Retries inside a CLI hide attempts, their cost and their time: the harness makes them. */
export const cliRetries = 0
