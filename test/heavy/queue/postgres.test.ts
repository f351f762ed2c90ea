import { execa } from 'execa'
import { expect, onTestFinished } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { postgresPrograms, startPostgres } from '../../helpers/servers/postgres.ts'

needs('postgres').it(
  'the PostgreSQL of the tests keeps what was committed through a kill and an immediate stop',
  async () => {
    const server = await startPostgres()
    onTestFinished(server.stop)
    await server.sql('create table kept (n int)')
    for (const [n, how] of [
      [1, 'kill'],
      [2, 'immediate'],
    ] as const) {
      await server.sql(`insert into kept values (${n})`)
      await server.crash(how)
      await server.restart()
    }
    expect(await server.sql('select n from kept order by n')).toBe('1\n2')
    expect(await server.dump()).toContain('CREATE TABLE public.kept')
    expect(server.log()).toContain('was not properly shut down')
  },
)

needs('postgres').it('its database has an owner with a password, who is no superuser', async () => {
  const server = await startPostgres()
  onTestFinished(server.stop)
  const ask = (url: string) =>
    execa(
      `${postgresPrograms()}/psql`,
      [url, '-Atc', 'select current_user, usesuper from pg_user where usename = current_user'],
      { reject: false },
    )
  expect((await ask(server.url)).stdout).toBe('bench|f')
  const wrong = await ask(server.url.replace(server.password, 'wrong'))
  expect(wrong.stderr).toContain('password authentication failed')
})
