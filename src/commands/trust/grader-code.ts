import type { NamedProgram } from '../../suites/suite.ts'
import { programPower } from './powers.ts'
import type { ForeignFile } from './require-trust.ts'

/** Returns the files with functions that grade as files that may be somebody else's, each as named by its table. */
export const foreignGraders = (programs: readonly NamedProgram[]): ForeignFile[] =>
  programs.map((program) => ({
    name: program.where,
    texts: [program.digest],
    powers: [graderPower(program)],
  }))

/** Those among them that stand in the data of a table: whoever typed the table did not type them. */
export const foreignInTables = (programs: readonly NamedProgram[]): ForeignFile[] =>
  foreignGraders(programs.filter(({ isTyped }) => !isTyped))

/** A function that grades is started as a program, in the sandbox. */
export const graderPower = ({ file, where }: Pick<NamedProgram, 'file' | 'where'>) =>
  programPower([file], where)
