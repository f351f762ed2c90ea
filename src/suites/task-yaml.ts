import { type Task, TaskSpec } from '../schema/task.ts'
import { digest } from '../text/canonical-json.ts'
import type { Problem } from '../text/errors.ts'
import { readYaml, type YamlFile } from '../yaml/read-yaml.ts'

/** What to write, for fields whose type alone does not say it. */
const examples: Readonly<Record<string, string>> = {
  version: 'Write `version: 1`.',
  title: 'Write `title:` and a few words.',
  output: 'Write `output: answer`, `function` or `files`.',
  graders: 'Write at least one grader, such as `- kind: exact` or `- kind: tests`.',
  licence: 'Write `licence:` and its SPDX name, such as `MIT`.',
  source: 'Write `source:` and where the task comes from.',
  properties: 'Write `properties: {}`, or difficulty, decomposability, sequentialDepth, tools.',
  expectTests: 'Write `expectTests:` and how many tests there are.',
  runner: 'Write `runner: node-test`, `command` or the runner for Python.',
  rule: 'Write `all`, `any` or `{ mean: 0.5 }`.',
}

/**
 * Reads the `task.yaml` of a folder, whose name is the task's id; undefined where it has problems, all of which are added
 * with line and field.
 */
export function parseTaskYaml(
  text: string,
  file: string,
  folderName: string,
  problems: Problem[],
): YamlFile<TaskSpec> | undefined {
  // In the schema, so that it is told together with all other faults.
  const id = TaskSpec.shape.id.refine((id) => id === folderName, {
    error: ({ input }) => `is ${input}, but the folder is ${folderName}`,
  })
  const spec = TaskSpec.extend({ id })
  return readYaml(text, file, spec, problems, { ...examples, id: idRemedy(folderName) })
}

/** The folder's name, or where that is no id another name for both. */
function idRemedy(folderName: string): string {
  if (TaskSpec.shape.id.safeParse(folderName).success) return `Write id: ${folderName}.`
  const valid = folderName.replace(/[^a-z0-9._-]+/gi, '-').replace(/^[^a-z0-9]+|-+$/gi, '') || 'task-1'
  return `Call the folder ${valid}, and write id: ${valid}.`
}

/** SHA-256 over all that a task is, wherever it was read from. */
export function taskDigest({ spec, instruction, files, checks, hidden }: Omit<Task, 'digest'>): string {
  return digest({ spec, instruction, files, checks, hidden })
}
