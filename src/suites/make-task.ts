import type { z } from 'zod'
import { type Task, TaskSpec } from '../schema/task.ts'
import { digest } from '../text/canonical-json.ts'
import type { Problem } from '../text/errors.ts'
import { readYaml, type YamlFile } from '../yaml/read-fields.ts'

/** An imported task, before its defaults and its digest. */
export type ImportedTask = Pick<Task, 'suite' | 'instruction' | 'files' | 'checks' | 'hidden' | 'origin'> & {
  spec: z.input<typeof TaskSpec>
}

/** Makes the task of an importer: with its defaults, name and digest, and without space around its instruction. */
export function makeTask({ spec, instruction, ...texts }: ImportedTask): Task {
  const parsed = TaskSpec.parse(spec)
  const task = { ...texts, instruction: instruction.trim(), ref: `${texts.suite}/${parsed.id}`, spec: parsed }
  return { ...task, digest: taskDigest(task) }
}

/**
 * Returns a text as the id of a task: letters lose their accents (`thé` is `the`), and other characters than Latin letters, digits,
 * dots, dashes and underscores become dashes. Empty if the text has neither a Latin letter nor a digit.
 */
export const taskId = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|-+$/g, '')

/** Remedies for fields whose type alone does not explain the problem. */
const examples: Readonly<Record<string, string>> = {
  version: 'Write `version: 1`.',
  title: 'Write `title:` with a few words.',
  output: 'Write `output: answer`, `function` or `files`.',
  graders: 'Write at least one grader, such as `- kind: exact` or `- kind: tests`.',
  expectTests: 'Write `expectTests:` with the number of tests.',
  runner: 'Write `runner: node-test`, `command` or the runner for Python.',
  grading:
    'Leave it out: then tests and solution have a process each. Its only value is `one-process`, which lets a solution fake its score.',
  rule: 'Write `all`, `any` or `{ mean: 0.5 }`.',
}

/**
 * Parses the `task.yaml` of a folder, whose name must be the task's id. Adds all problems with line and field, and returns
 * undefined if there are any.
 */
export function parseTaskYaml(
  text: string,
  file: string,
  folderName: string,
  problems: Problem[],
): YamlFile<TaskSpec> | undefined {
  // In the schema, so that it is reported together with all other problems.
  const id = TaskSpec.shape.id.refine((id) => id === folderName, {
    error: ({ input }) => `is ${input}, but the folder is ${folderName}`,
  })
  const spec = TaskSpec.extend({ id })
  return readYaml(text, file, spec, problems, { ...examples, id: idRemedy(folderName) })
}

function idRemedy(folderName: string): string {
  if (TaskSpec.shape.id.safeParse(folderName).success) return `Write id: ${folderName}.`
  const valid = folderName.replace(/[^a-z0-9._-]+/gi, '-').replace(/^[^a-z0-9]+|-+$/gi, '') || 'task-1'
  return `Rename the folder to ${valid} and write id: ${valid}.`
}

/** Returns the SHA-256 of a task's content, which does not depend on where the task was read from. */
export function taskDigest({ spec, instruction, files, checks, hidden }: Omit<Task, 'digest'>): string {
  const { mutants: _, ...graded } = hidden
  return digest({ spec, instruction, files, checks, hidden: graded })
}
