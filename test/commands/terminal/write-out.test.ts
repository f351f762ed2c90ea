import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeOut } from '../../../src/commands/terminal/output-file.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

describe('writeOut', () => {
  it('creates the folder of a file and overwrites the earlier text', () => {
    const file = join(tempFolder(), 'a/b.md')
    for (const text of ['long before', 'now']) {
      writeOut(text, file)
      expect(readFileSync(file, 'utf8')).toBe(text)
    }
  })

  it('throws for a path that cannot be written, and leaves nothing there', () => {
    const folder = tempFolder()
    writeFileSync(join(folder, 'file'), '')
    for (const path of ['file/page.html', '.'])
      expect(() => writeOut('text', join(folder, path))).toThrow(
        /--out .*cannot be written: .*Give another path/,
      )
    expect(existsSync(join(folder, 'file'))).toBe(true)
  })
})
