import type { z } from 'zod'
import { type Task, TaskSpec } from '../schema/task.ts'
import { taskDigest } from './task-yaml.ts'

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
