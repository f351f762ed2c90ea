import { execa } from 'execa'
import { expect, it } from 'vitest'
import { root } from '../helpers/cli.ts'

it.each(['scripts/publish-example.mjs', 'scripts/perf/main.mjs', 'scripts/calibrate.mjs'])(
  '%s tells its usage in a line, and does nothing with a flag that it does not know',
  async (script) => {
    const start = (flag: string) =>
      execa(process.execPath, [script, flag], { cwd: root, reject: false, stdin: 'ignore' })
    expect(await start('--help')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^usage: npm run \S+ \[-- --.*\]$/),
      stderr: '',
    })
    expect(await start('--nosuch')).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(/^Unknown option '--nosuch'; usage: npm run .*$/),
    })
  },
)
