import type { Path } from '../../yaml/raw.ts'

/** What a machine may refer to outside of its file. */
export interface Surroundings {
  /** Returns the text of a file; undefined if it does not exist. The path is as the machine writes it: relative to its own file. */
  read(path: string): string | undefined
  /** Says what is wrong with the name of an agent of bench. */
  agentProblem?(name: string): { what: string; fix?: string | undefined } | undefined
}

/** What a check may look at besides the machine. */
export interface Beside extends Surroundings {
  lineOf(path: Path): string
  /** Returns the path of a file as messages show it. */
  fileOf(path: string): string
}
