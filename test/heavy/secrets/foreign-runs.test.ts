import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { benchOk, recordsOf } from '../../helpers/runs/cli.ts'

it('every command redacts pieces of a secret that only --secret named when the run started', async () => {
  const cwd = tempFolder()
  const secret = 'pg-pass_77-of-the-database'
  // A model may repeat a part of a secret; the whole value is redacted before it is written.
  writeFileSync(
    join(cwd, 'agent.mjs'),
    `export default () => 'I saw ${secret.slice(0, 12)}… in it.\\nAnswer: 1'`,
  )
  const env = { DB_URL: secret }
  await benchOk(
    [
      ...['--tasks', 'lamp-paths', '--methods', 'baseline', '--agents', 'scripted:./agent.mjs'],
      ...['--secret', 'DB_URL', '--out', 'run', '--quiet'],
    ],
    { cwd, env },
  )
  const [record] = recordsOf(join(cwd, 'run'))
  const id = record?.trial ?? ''
  expect(await benchOk(['show', 'run', id, '--full'], { cwd })).toContain('pg-pass_77')
  for (const args of [
    ['show', 'run', id, '--full'],
    ['report', 'run', '--format', 'html'],
  ]) {
    const text = await benchOk(args, { cwd, env })
    expect(text).not.toContain('pg-pass')
    expect(text).toContain('[redacted DB_URL]')
  }
  await benchOk(['report', 'run', '--format', 'html', '--out', 'page.html'], { cwd, env })
  expect(readFileSync(join(cwd, 'page.html'), 'utf8')).not.toContain('pg-pass')
})
