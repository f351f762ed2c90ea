// What every question to all runs pays: Node, DuckDB, and a first query.
import { DuckDBInstance } from '@duckdb/node-api'

const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect()
await connection.run('select 1')
connection.closeSync()
