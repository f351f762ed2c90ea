import { z } from 'zod'

/** A flag of a tool, or a part of its report. */
const Part = z.strictObject({ name: z.string(), description: z.string() })

/** What there is to know of a tool. It says how a person or a program starts the tool, and can start nothing itself. */
export const ToolEntry = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]*$/),
  description: z.string(),
  /** The program, from the folder of this package on. It runs in the folder that it looks at. */
  program: z.string(),
  inputs: z.array(Part),
  outputs: z.array(Part),
  /** Where a chain keeps the tool's report in its state. */
  state_key: z.enum(['test_results', 'build_results', 'test_gen_results']),
  tags: z.array(z.string()),
})
export type ToolEntry = z.infer<typeof ToolEntry>

const raw = {
  name: 'raw',
  description: 'output that was not understood, and the reason; only if there is some',
}
const success = { name: 'success', description: 'whether all went well; the exit code is then 0, else 1' }
const saving = {
  name: '--saving FILE',
  description: 'a file for what the report saves: tokens of the output and of the report',
}
const timeout = { name: '--timeout SECONDS', description: 'the longest time for one program (default: 600)' }

/** The external tools, for discovery. */
export const tools: readonly ToolEntry[] = [
  {
    name: 'test-runner',
    description: 'runs the tests of a folder by vitest, node:test or pytest, and reports the failures alone',
    program: 'dist/bench/tools/test-runner.mjs',
    inputs: [
      {
        name: '--runner NAME',
        description: 'vitest, node:test or pytest (default: the one that the tests are written for)',
      },
      timeout,
      saving,
      { name: '-- WORDS', description: 'files and options that are passed to the runner' },
    ],
    outputs: [
      success,
      { name: 'summary', description: 'total, passed, failed and skipped tests' },
      { name: 'failures', description: 'test_name, file, line and error of each failed test' },
      { name: 'not_run', description: 'runners for which there are tests that were not run, if any' },
      raw,
    ],
    state_key: 'test_results',
    tags: ['test', 'check', 'vitest', 'node:test', 'pytest', 'junit', 'javascript', 'typescript', 'python'],
  },
  {
    name: 'build-checker',
    description: 'checks types by tsc and builds by vite, and reports the errors alone',
    program: 'dist/bench/tools/build-checker.mjs',
    inputs: [
      { name: '--checker NAME', description: 'tsc or vite (default: each that the folder has a use for)' },
      timeout,
      saving,
    ],
    outputs: [
      success,
      { name: 'summary', description: 'numbers of errors and warnings' },
      { name: 'errors', description: 'file, line, column, code and message of each error' },
      raw,
    ],
    state_key: 'build_results',
    tags: ['build', 'check', 'compile', 'types', 'tsc', 'vite', 'typescript', 'javascript'],
  },
  {
    name: 'test-generator',
    description: 'writes a file of tests that runs, from the exports of one file, without a model',
    program: 'dist/bench/tools/test-generator.mjs',
    inputs: [
      { name: '--target-path FILE', description: 'the file to be tested: JavaScript, TypeScript or Python' },
      {
        name: '--framework NAME',
        description: 'node:test, vitest or pytest (default: the one of the folder’s tests)',
      },
      {
        name: '--out FILE',
        description: 'the file of tests; it must not exist (default: beside other tests)',
      },
    ],
    outputs: [
      success,
      { name: 'target', description: 'the file to be tested' },
      { name: 'framework', description: 'the framework that the tests are written for' },
      { name: 'test_file', description: 'the file that was written' },
      { name: 'summary', description: 'numbers of exports and of tests' },
      { name: 'error', description: 'why no test was written' },
    ],
    state_key: 'test_gen_results',
    tags: [
      'test',
      'generate',
      'skeleton',
      'vitest',
      'node:test',
      'pytest',
      'javascript',
      'typescript',
      'python',
    ],
  },
]

/** Returns the tools of which each word of a text is found somewhere; those with a word in their name first. */
export function searchTools(text: string): ToolEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const found = tools.filter((tool) => {
    const parts = [...tool.inputs, ...tool.outputs].flatMap(({ name, description }) => [name, description])
    const whole = [tool.name, tool.description, tool.state_key, ...tool.tags, ...parts]
      .join('\n')
      .toLowerCase()
    return words.every((word) => whole.includes(word))
  })
  const inName = ({ name }: ToolEntry) => words.filter((word) => name.includes(word)).length
  return found.sort((a, b) => inName(b) - inName(a))
}
