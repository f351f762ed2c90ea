// The same by DuckDB, columns given. Arguments: a JSON lines file, its records, the folder in which DuckDB is installed.
import { createRequire } from 'node:module'
import { join } from 'node:path'

const [file, count, folder] = process.argv.slice(2)
const { DuckDBInstance } = createRequire(join(folder, 'package.json'))('@duckdb/node-api')
const connection = await (await DuckDBInstance.create(':memory:')).connect()
const reader = await connection.runAndReadAll(`
  SELECT method, count(*), avg(passed::INT), avg(spent.input + spent.output), avg(spent.costUsd), avg(spent.calls), avg(durationMs)
  FROM read_json('${file.replaceAll("'", "''")}', format = 'newline_delimited', columns = {
    method: 'VARCHAR', passed: 'BOOLEAN', durationMs: 'DOUBLE',
    spent: 'STRUCT(input BIGINT, output BIGINT, costUsd DOUBLE, calls BIGINT)'
  }) GROUP BY method`)
const records = reader.getRows().reduce((sum, [, trials]) => sum + Number(trials), 0)
if (records !== Number(count)) throw new Error(`${records} records were read`)
