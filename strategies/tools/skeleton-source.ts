import type { Exported } from './exports.ts'

/** A framework that skeletons are written for. */
export type Framework = 'node:test' | 'vitest' | 'pytest'

/** What a skeleton is written from. */
export interface SkeletonSource {
  framework: Framework
  module: 'esm' | 'commonjs' | 'python'
  /** The file under test and the file of the tests, from the workspace on. */
  target: string
  testFile: string
  exported: readonly Exported[]
  /** Folders up from the target that are packages of Python. */
  packageDepth?: number
}

/** An export, with the tests that are to be written for it. */
export interface Part {
  one: Exported
  todos: readonly string[]
}

/** Returns the first comment of a skeleton. */
export const headline = ({ target }: SkeletonSource): string =>
  `Written by the test generator from the exports of ${target.replace(/[\r\n\u2028\u2029]/g, ' ')}. Replace what is to be written.`
