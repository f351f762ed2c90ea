import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { openBlockQueue } from '../../../src/queue/block-queue.ts'
import { type Database, openDatabase } from '../../../src/queue/database.ts'
import { needs } from '../../helpers/house/needs.ts'
import { type Postgres, startPostgres } from '../../helpers/servers/postgres.ts'

describe('a queue of blocks', () => {
  let postgres: Postgres
  let database: Database
  beforeAll(async () => {
    postgres = await startPostgres()
    database = await openDatabase(postgres.url)
  })
  afterAll(async () => {
    await database?.close()
    await postgres?.stop()
  })

  needs('postgres').it(
    'gives each block once, in order, and one that is given back before the rest',
    async () => {
      const [one, two] = await Promise.all([
        openBlockQueue(database, 'run-a', 30_000),
        openBlockQueue(database, 'run-a', 30_000),
      ])
      await one.put([1, 2, 3])
      await two.put([1, 2, 3])
      const first = await one.take()
      const second = await two.take()
      expect([first?.block, second?.block]).toEqual([1, 2])
      expect(await one.left()).toEqual({ waiting: 1, taken: expect.arrayContaining([1, 2]), damaged: [] })
      if (!first || !second) return
      await one.done(first, 'back')
      const again = await two.take()
      expect(again?.block).toBe(1)
      // The lease that was given back is not the one that holds now.
      expect(await one.extend(first)).toBe(false)
      await one.done(first, 'over')
      expect((await one.left()).taken).toContain(1)
      await two.done(second, 'over')
      await two.put([1, 2, 3])
      if (again) await two.done(again, 'over')
      expect((await two.take())?.block).toBe(2)
      await one.pause(true)
      expect(await one.take()).toBeUndefined()
      await one.pause(false)
      expect((await one.take())?.block).toBe(3)
      await one.remove()
      expect(await two.left()).toEqual({ waiting: 0, taken: [], damaged: [] })
      expect(await postgres.dump()).not.toContain('run-a')
      await Promise.all([one.close(), two.close()])
    },
  )

  needs('postgres').it(
    'gives a block to another when its lease has ended, and works on after a crash of the server',
    async () => {
      const dead = await openBlockQueue(database, 'run-b', 1500)
      const alive = await openBlockQueue(database, 'run-b', 1500)
      await dead.put([1, 2])
      const lease = await dead.take()
      expect(lease?.block).toBe(1)
      await dead.close()
      const taken: number[] = []
      const crashed = postgres.crash('kill').then(() => postgres.restart())
      const until = Date.now() + 20_000
      while (taken.length < 2 && Date.now() < until) {
        const next = await alive.take()
        if (next) taken.push(next.block)
        else await sleep(200)
        if (next) await alive.done(next, 'over')
      }
      await crashed
      expect(taken.sort()).toEqual([1, 2])
      expect(await alive.left()).toEqual({ waiting: 0, taken: [], damaged: [] })
      await alive.close()
    },
  )
})
