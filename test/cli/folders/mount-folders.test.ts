import { execFileSync, spawnSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { root } from '../../helpers/runs/cli.ts'

const built = pathToFileURL(`${root}dist/src/sandbox/tools/mount-folders.js`).href

needs('mount').it(
  'folders that are opened for another user close with the process that opened them, also where that is killed',
  () => {
    const program = `import { mountFolders } from ${JSON.stringify(built)}
    console.log((await mountFolders('unshare', [${JSON.stringify(tempFolder())}], [])).namespace); process.kill(process.pid, 'SIGKILL')`
    const { stdout, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    })
    expect(signal).toBe('SIGKILL')
    const holder = /^\/proc\/(\d+)\/ns\/mnt\n$/.exec(stdout)?.[1]
    expect(holder).toBeDefined()
    execFileSync('sh', ['-c', `while grep -q cat /proc/${holder}/cmdline; do sleep 0.05; done 2>/dev/null`], {
      timeout: 20_000,
    })
  },
)
