// Finds a Node of a wanted major version: both sides of a comparison must run on the same one.
import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'

const found = new Map()

/** The Node of this major version: `{ path, version }`. The one that runs this, or else npm's (`npx node@MAJOR`). */
export function nodeOf(major) {
  if (!found.has(major)) found.set(major, find(major))
  return found.get(major)
}

function find(major) {
  if (process.versions.node.startsWith(`${major}.`))
    return { path: process.execPath, version: process.version }
  const print = 'console.log(JSON.stringify({ path: process.execPath, version: process.version }))'
  const { status, stdout, stderr } = spawnSync('npx', ['-y', `node@${major}`, '-e', print], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`Node ${major} could not be had from npx node@${major}:\n${stderr}`)
  return JSON.parse(stdout.trim().split('\n').at(-1))
}

/** An environment in which `node`, `npm` and what they start are this Node. */
export function environmentOf({ path }) {
  return { ...process.env, PATH: `${dirname(path)}:${process.env.PATH}` }
}
