import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { expect } from 'vitest'

/** Makes folders in each other, each by its name alone: no path may be as long as theirs. */
export function makeDeep(folder: string, depth: number, name = 'd'.repeat(20)): void {
  mkdirSync(folder, { recursive: true })
  const script = `for (let i = 0; i < ${depth}; i++) {
    fs.mkdirSync('${name}'); process.chdir('${name}'); if (i % 100 === 0) fs.writeFileSync('file', 'x')
  }`
  expect(spawnSync(process.execPath, ['-e', script], { cwd: folder }).status).toBe(0)
}
