import { join } from 'node:path'
import { z } from 'zod'
import { parseLine } from '../journal/jsonl.ts'
import { openLineFile } from '../journal/line-file.ts'
import { readLines } from '../journal/lines.ts'

const file = 'looks.jsonl'

/** One line of looks.jsonl: somebody saw how methods compare before the plan was whole. */
const InterimLook = z.object({
  at: z.string(),
  /** Records that there were. */
  records: z.int().min(0),
  /** What showed them. */
  command: z.string(),
})
type InterimLook = z.infer<typeof InterimLook>

/** The looks at a run, in order. Throws `UserError` on a line that is none. */
export function readInterimLooks(folder: string): InterimLook[] {
  const path = join(folder, file)
  return [...readLines(path)].map(({ text, number }) =>
    parseLine(text, InterimLook, {
      where: `${path}:${number}`,
      remedy: 'Put the file back from a copy of the run folder.',
    }),
  )
}

/** Notes a look; false where the folder cannot be written to: it cannot grow either, so that looking at it does no harm. */
export function noteInterimLook(folder: string, look: Omit<InterimLook, 'at'>): boolean {
  try {
    const out = openLineFile(join(folder, file))
    out.append(JSON.stringify({ at: new Date().toISOString(), ...look }))
    out.close()
    return true
  } catch (error) {
    const { code } = (error as { cause?: NodeJS.ErrnoException }).cause ?? (error as NodeJS.ErrnoException)
    if (code !== 'EACCES' && code !== 'EROFS' && code !== 'EPERM') throw error
    return false
  }
}
