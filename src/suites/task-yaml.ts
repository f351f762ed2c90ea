import type { Problem } from '../errors.ts'
import { TaskSpec } from '../schema/task.ts'
import { readYaml, type YamlFile } from '../yaml-file.ts'

/** What to write, for fields whose type alone does not say it. */
const examples: Readonly<Record<string, string>> = {
  id: 'Write `id:` and the name of the task folder.',
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

/** Reads `task.yaml`; undefined where it has problems, all of which are added with line and field. */
export function parseTaskYaml(
  text: string,
  file: string,
  problems: Problem[],
): YamlFile<TaskSpec> | undefined {
  return readYaml(text, file, TaskSpec, problems, examples)
}
