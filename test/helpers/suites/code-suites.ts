import { tableOf } from '../house/tables.ts'

// Suites of code written for the tests, in the layouts of the published ones.

interface MbppLine {
  task_id: number
  text: string
  code: string
  test_setup_code: string
  test_list: string[]
  challenge_test_list: string[]
}
/** Lines of MBPP in its full form: with CRLF in code, a class and setup code, challenge tests, and a function called check. */
export const mbppLines = tableOf<Record<'rings' | 'chain' | 'check', MbppLine>>(import.meta.url, 'mbppLines')

interface SanitizedTask {
  task_id: number
  prompt: string
  code: string
  test_imports: string[]
  test_list: string[]
}
/** Tasks of MBPP in its sanitized form: asserts that wrap the call. */
export const sanitizedTasks = tableOf<Record<'shared' | 'cone', SanitizedTask>>(
  import.meta.url,
  'sanitizedTasks',
)

interface JavaScriptLine {
  task_id: string
  prompt: string
  canonical_solution: string
  declaration: string
  test: string
  example_test: string
}
/** Lines of HumanEval-X for JavaScript: one with examples, one whose test uses a helper of the prompt and loops. */
export const javaScriptLines = tableOf<Record<'clamp' | 'unwrap', JavaScriptLine>>(
  import.meta.url,
  'javaScriptLines',
)

/** A folder in the layout of QuixBugs, file by file: two programs with cases, one that works on graphs, and a helper. */
export const quixbugsFiles = tableOf<Record<string, string>>(import.meta.url, 'quixbugsFiles')
