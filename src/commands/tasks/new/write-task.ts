import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import type { z } from 'zod'
import { TaskSpec } from '../../../schema/task.ts'
import { UserError } from '../../../text/errors.ts'

/** The parts of a task folder: texts by path in each. */
export interface TaskFolder {
  spec: z.input<typeof TaskSpec>
  instruction: string
  files?: Readonly<Record<string, string>>
  checks?: Readonly<Record<string, string>>
  tests?: Readonly<Record<string, string>>
  solution?: Readonly<Record<string, string>>
  mutants?: Readonly<Record<string, string>>
}

/** Returns the folder of a new task, `OUT/ID`. Throws `UserError` if the id is no name, or something is there. */
export function newTaskFolder(out: string, id: string): string {
  const parsed = TaskSpec.shape.id.safeParse(id)
  if (!parsed.success)
    throw new UserError({
      where: `--id ${id}`,
      what: parsed.error.issues[0]?.message ?? 'is no name',
      fix: 'Write for example --id week-number. It is the name of the folder, too.',
    })
  const folder = join(out, id)
  if (existsSync(folder))
    throw new UserError({
      where: folder,
      what: 'is there already',
      fix: 'Give the task another name with --id, or remove the folder.',
    })
  return folder
}

/** Writes a task folder. What was written is removed again if something fails. */
export function writeTask(folder: string, { spec, instruction, ...texts }: TaskFolder): void {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text, { flag: 'wx' })
  }
  try {
    write('task.yaml', stringify(spec, { lineWidth: 130 }))
    write('instruction.md', `${instruction.trim()}\n`)
    for (const [part, files] of Object.entries(texts))
      for (const [path, text] of Object.entries(files ?? {})) write(`${part}/${path}`, text)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw new UserError({
      where: folder,
      what: `cannot be written: ${(error as Error).message}`,
      fix: 'Choose another folder with --out.',
    })
  }
}
