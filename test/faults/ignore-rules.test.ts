import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { ignoredTree, takenOf } from '../helpers/machine/ignored-trees.ts'
import { tempFolder } from '../helpers/machine/temp.ts'

it('a workspace takes exactly the files that git would, for 150 random trees and a folder in each', async () => {
  const place = join(tempFolder(), 'repository')
  for (let seed = 100; seed < 250; seed++) {
    const tree = ignoredTree(seed)
    const whole = await takenOf(place, tree)
    expect([seed, whole.bench]).toEqual([seed, whole.git])
    const inner = whole.git.find((path) => path.includes('/'))
    if (inner === undefined) continue
    const part = await takenOf(place, tree, dirname(inner))
    expect([seed, inner, part.bench]).toEqual([seed, inner, part.git])
  }
}, 600_000)
