import type { Strategy } from '../src/strategy.ts'
import { baseline } from './baseline.ts'
import { integrated } from './integrated.ts'
import { sequential } from './sequential.ts'

/** All built-in strategies, in the order in which `bench methods` lists them. */
export const strategies: readonly Strategy[] = [baseline, integrated, sequential]
