import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, recordsOf, refused } from '../../helpers/runs/cli.ts'

const baseline = ['--tasks', 'duration-text', '--methods', 'baseline', '--quiet']

it('a missing temporary folder is named as the cause', async () => {
  const env = { TMPDIR: '/nonexist' }
  await refused(
    argv`${baseline} --out ${join(tempFolder(), 'run')}`,
    [
      /^bench: \[TMPDIR\] the temporary folder \/nonexist does not exist\. Create it, or set TMPDIR to another folder\.$/,
    ],
    { env },
  )
  const { stdout } = await bench(['doctor'], { env })
  expect(stdout).toMatch(
    /sandbox +cannot be tested: the temporary folder \/nonexist does not exist\n +Create it, or set TMPDIR to another folder\.\n/,
  )
})

it('bench replay replays a broken trial up to the fault, and grades it again on request', async () => {
  const folder = tempFolder()
  const TMPDIR = join(folder, 'temporary')
  mkdirSync(TMPDIR)
  // The user of programs must be able to enter it.
  chmodSync(folder, 0o755)
  const agent = join(folder, 'agent.mjs')
  // The agent removes the folder that grading needs.
  writeFileSync(
    agent,
    `import { rmSync } from 'node:fs'
    export default () => {
      rmSync(${JSON.stringify(TMPDIR)}, { recursive: true, force: true })
      return 'FILE: src/duration.mjs\\n\`\`\`\\nexport const formatDuration = () => ""\\n\`\`\`'
    }`,
  )
  const run = join(folder, 'run')
  const args = [...baseline, '--agents', `scripted:${agent}`, '--out', run]
  const broken = await bench(args, { env: { TMPDIR } })
  expect([broken.code, broken.stderr]).toEqual([1, expect.any(String)])
  expect(recordsOf(run)[0]?.outcome).toMatchObject({
    status: 'error',
    reason: expect.stringContaining('grading broke: cannot write a private folder'),
  })
  expect(await bench(['replay', run])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('no divergence'),
  })
  const regraded = await bench(['replay', run, '--regrade'])
  expect(regraded.code).toBe(1)
  expect(`${regraded.stdout}${regraded.stderr}`).toMatch(/record field outcome\] recorded: .*grading broke/)
})
