import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { benchOk, refused, root } from '../../helpers/runs/cli.ts'

interface Listed {
  name: string
  file: string
  sha256: string
  documents: string[]
}

const folder = join(root, 'strategies/fanout')

it('bench methods --personas lists the file of every shipped persona once, with its digest and who names it', async () => {
  const listed: Listed[] = JSON.parse(await benchOk(['methods', '--personas', '--json']))
  const files = readdirSync(join(folder, 'personas')).map((name) => `personas/${name}`)
  expect(listed.map(({ file }) => file).sort()).toEqual(files.sort())
  for (const { file, sha256, documents } of listed) {
    const digest = createHash('sha256').update(readFileSync(join(folder, file)))
    expect(sha256, file).toBe(digest.digest('hex'))
    for (const document of documents)
      expect(readFileSync(join(folder, `${document.replace('fanout:', '')}.yaml`), 'utf8')).toContain(file)
  }
  const text = await benchOk(['methods', '--personas'])
  for (const { name, documents } of listed)
    expect(text.replace(/\s+/g, ' ')).toMatch(new RegExp(`\\b${name} personas/.* ${documents[0]}`))
})

it('bench methods --personas of one document lists its own alone; a method without personas says so', async () => {
  const own: Listed[] = JSON.parse(await benchOk(['methods', 'fanout:code', '--personas', '--json']))
  const all: Listed[] = JSON.parse(await benchOk(['methods', '--personas', '--json']))
  const naming = all.filter(({ documents }) => documents.includes('fanout:code'))
  expect(own.map(({ name }) => name).sort()).toEqual(naming.map(({ name }) => name).sort())
  expect(own.length).toBeGreaterThan(2)
  expect(await benchOk(['methods', 'baseline', '--personas'])).toMatch(/^No personas: /)
  await refused(['methods', 'fanout:none', '--personas'], [/none/])
})
