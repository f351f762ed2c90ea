import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { root } from '../../helpers/runs/cli.ts'

it('broken folders of built-in tasks are reported, and a run never silently uses fewer tasks', async () => {
  const folder = tempFolder()
  for (const part of ['package.json', 'dist/bench', 'tasks/answers'])
    cpSync(join(root, part), join(folder, part), { recursive: true })
  const tasks = async (selection: string) => {
    const args = [join(folder, 'dist/bench/cli.cjs'), 'tasks', selection]
    const { exitCode, stdout, stderr } = await execa(process.execPath, args, { reject: false })
    return { exitCode, stdout, stderr }
  }
  mkdirSync(join(folder, 'tasks/empty'))
  mkdirSync(join(folder, 'tasks/answers/void'))
  for (const selection of ['all', '3']) {
    const { exitCode, stderr } = await tasks(selection)
    expect({ selection, exitCode }).toEqual({ selection, exitCode: 2 })
    expect(stderr).toContain(`[${join(folder, 'tasks/empty')}] contains no task folder`)
    expect(stderr).toContain(`[${join(folder, 'tasks/answers/void/task.yaml')}] is missing`)
  }
  // A command that does not use built-in tasks.
  expect(await tasks('lamp-paths')).toMatchObject({ exitCode: 0, stderr: '' })
  // A task beside the suites is one of its own suite, not a suite of what it holds.
  cpSync(join(folder, 'tasks/answers/lamp-paths'), join(folder, 'tasks/lamp-paths'), { recursive: true })
  expect((await tasks('tasks/lamp-paths')).exitCode).toBe(0)
  expect((await tasks('all')).stderr).not.toContain('tasks/lamp-paths')
  rmSync(join(folder, 'tasks'), { recursive: true })
  for (const selection of ['all', '3', 'lamp-paths']) {
    const { exitCode, stderr } = await tasks(selection)
    expect({ selection, exitCode }).toEqual({ selection, exitCode: 1 })
    expect(stderr).toContain(join(folder, 'tasks'))
  }
})
