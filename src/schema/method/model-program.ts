/** A program that asks models itself, as resolved options describe it. */
export interface ModelProgram {
  /** Empty if none is named. */
  command: readonly string[]
  /** The folder that it may read. */
  folder?: string | undefined
  /** SHA-256 of what the folder held when the method was made. */
  digest?: string | undefined
  /** Variables of its environment. */
  env?: Readonly<Record<string, string>> | undefined
  /** Words of the command that name files which are not there. */
  missing: readonly string[]
}
