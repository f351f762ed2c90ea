import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { RunManifest } from '../schema/run.ts'

/**
 * The manifest of a run as it is to be read in the folder that bench is called in. What lay below the folder in which the
 * run was begun (tasks, strategies, agents) is looked for below the present one: with `prefer` here, wherever it is there,
 * so that a checkout is held against its own files; with there, only where the old place is gone.
 */
export function movedRun(manifest: RunManifest, prefer: 'here' | 'there'): RunManifest {
  const { cwd: old, methods, taskSelectors } = manifest
  const here = process.cwd()
  if (here === old) return manifest
  const moved = (path: string) => {
    const below = relative(old, path)
    if (below.startsWith('..') || join(old, below) !== path) return path
    const own = join(here, below)
    return existsSync(own) && (prefer === 'here' || !existsSync(path)) ? own : path
  }
  return {
    ...manifest,
    cwd: prefer === 'here' || !existsSync(old) ? here : old,
    methods: methods.map((method) => (method.file ? { ...method, file: moved(method.file) } : method)),
    taskSelectors: taskSelectors.map((selector) => {
      // FORMAT:PATH, and for some a slice after another colon.
      const [, format = '', path = '', slice = ''] = /^([\w-]+:)(.+?)(:[^:/\\]*)?$/.exec(selector) ?? []
      return format === '' ? selector : `${format}${moved(path)}${slice}`
    }),
  }
}
