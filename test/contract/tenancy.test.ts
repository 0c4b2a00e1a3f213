import { beforeAll, describe, expect, it } from 'vitest'
import { columnsExpected } from '../../src/catalogue/columns.ts'
import { type Connection, withClient } from '../../src/platform/db/client.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { currencyDigits } from '../../src/platform/money.ts'
import { importables } from '../../src/registry.ts'
import { makeAgency } from '../harness/agency.ts'
import { cloneDatabase, startCell } from '../harness/cell.ts'
import { undeclared } from '../harness/undeclared.ts'

/** Tables that belong to no account, in the order of their names. */
const SYSTEM_TABLES = [
  'cell_keys',
  'exchange_rate_sources',
  'exchange_rates',
  'migrations',
  'moved_accounts',
  'scheduled_runs',
  'sign_in_attempts',
  'sign_in_challenges',
]
const SYSTEM_HINT = 'Add account_id to a new table, or list it in SYSTEM_TABLES of test/contract/tenancy.test.ts'

/** A policy `p` of a table `c` by which old entries of the audit log are dropped: not for the roles of the program. */
const RETENTION = `p.polname = 'retention' and c.relname in ('audit_log', 'audit_links', 'audit_checkpoints')
  and p.polroles = array[c.relowner] and pg_get_expr(p.polqual, p.polrelid) = '(current_setting(''app.audit_retention''::text, true) = ''on''::text)'`

describe('tenancy', () => {
  let connection: Connection
  const query = <R extends object>(text: string) =>
    withClient(connection, async (client) => (await client.query<R>(text)).rows)
  beforeAll(async () => {
    connection = await cloneDatabase()
  })

  it('every table is an account’s, or is named here as the system’s', async () => {
    const tables = await query<{ name: string; owned: boolean }>(`
      select c.relname as name, exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'account_id') as owned
      from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind in ('r', 'p') order by 1`)
    expect(
      tables.filter(({ owned }) => !owned).map(({ name }) => name),
      SYSTEM_HINT,
    ).toEqual(SYSTEM_TABLES)
  })
  it('every table of an account has row-level security, forced, with its two policies', async () => {
    const open = await query(`
      select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not (c.relrowsecurity and c.relforcerowsecurity
        and (select count(*) from pg_policy p where p.polrelid = c.oid and not (${RETENTION})) = 2)`)
    expect(open, `Add call wall('<table>') to the migration of these tables`).toEqual([])
  })
  it('every third policy is that of the audit log, which the owner of the tables alone drops entries by', async () => {
    const third = await query<{ name: string }>(
      `select c.relname as name from pg_policy p join pg_class c on c.oid = p.polrelid where ${RETENTION} order by 1`,
    )
    expect(third.map(({ name }) => name)).toEqual(['audit_checkpoints', 'audit_links', 'audit_log'])
  })
  it('every key and index of an account’s table begins with account_id, or has the reason in its comment', async () => {
    const indexes = await query(`
      select i.relname as name from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
      join pg_attribute a on a.attrelid = t.oid and a.attname = 'account_id'
      where t.relnamespace = 'public'::regnamespace and x.indkey[0] <> a.attnum
        and obj_description(i.oid, 'pg_class') is null`)
    const hint = 'Put account_id first in these, or give the reason in a comment on index, in the migration'
    expect(indexes, hint).toEqual([])
  })
  it('every foreign key between tables of accounts carries account_id on both sides', async () => {
    const loose = await query(`
      select f.conname from pg_constraint f
      where f.contype = 'f' and f.connamespace = 'public'::regnamespace and f.conrelid::regclass::text <> all ('{${SYSTEM_TABLES}}') and not (
        exists (select from pg_attribute a where a.attrelid = f.conrelid and a.attnum = any(f.conkey) and a.attname = 'account_id')
        and exists (select from pg_attribute a where a.attrelid = f.confrelid and a.attnum = any(f.confkey) and a.attname = 'account_id'))`)
    expect(loose, 'Put account_id on both sides of these foreign keys, in the migration').toEqual([])
  })
  it('the roles of the program are neither superuser nor above row-level security', async () => {
    expect(
      await query(`select rolname from pg_roles where rolname like 'backdesk%' and (rolsuper or rolbypassrls)`),
    ).toEqual([])
  })
  it('a function that reads beyond the wall can be called by the program alone', async () => {
    const functions = await query<{ name: string; open: boolean; own: boolean }>(`
      select p.proname as name, has_function_privilege('backdesk_app', p.oid, 'execute') as own,
        exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
          where a.grantee = 0 and a.privilege_type = 'EXECUTE') as open
      from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prosecdef order by 1`)
    expect(functions).toEqual(
      [
        ...['communications_like', 'customers_like', 'drop_audit_entries', 'find_bookings', 'find_customers'],
        ...['find_documents', 'find_leads', 'find_suppliers', 'find_tickets', 'find_travelers', 'find_trips'],
        ...['leads_like', 'suppliers_like', 'trips_like'],
      ].map((name) => ({
        name,
        open: false,
        own: name !== 'drop_audit_entries', // the system calls it
      })),
    )
  })
  it('a statement without its account condition still sees one account alone, and none where none is set', async () => {
    const cell = await startCell()
    const [one, other] = [await makeAgency(cell), await makeAgency(cell)]
    const everybody = undeclared<{ account: number }, { account_id: number }>('select distinct account_id from seats')
    expect(await cell.deps.db.reader(one.number).all(everybody, {})).toEqual([{ account_id: one.number }])
    expect(await cell.deps.db.inAccount(other.number, (tx) => tx.all(everybody, {}))).toEqual([
      { account_id: other.number },
    ])
    const nobody = await withClient(cell.connection, async (client) => {
      await client.query('set role backdesk_app')
      return (await client.query('select * from seats')).rows
    })
    expect(nobody).toEqual([])
  })
  it('a reader that follows another account’s on the same connection sees its own account', async () => {
    const cell = await startCell()
    const agencies = [await makeAgency(cell), await makeAgency(cell), await makeAgency(cell)]
    const db = openDatabase(cell.connection, 1, () => {})
    const mine = undeclared<{ account: number }, { account_id: number }>('select account_id from accounts')
    const asked = Array.from({ length: 60 }, (_, at) => (agencies[at % 3] as { number: number }).number)
    const answers = await Promise.all(asked.map((account) => db.reader(account).all(mine, {})))
    expect(answers).toEqual(asked.map((account_id) => [{ account_id }]))
    await db.close()
  })
})

describe('the catalogue and the database', () => {
  it('know the same digits of every currency', async () => {
    const connection = await cloneDatabase()
    const codes = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].flatMap((a) =>
      [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].flatMap((b) => [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((c) => a + b + c)),
    )
    const rows = await withClient(
      connection,
      async (client) =>
        (await client.query('select code, currency_digits(code) as digits from unnest($1::text[]) as code', [codes]))
          .rows,
    )
    expect(rows.filter(({ code, digits }) => digits !== currencyDigits(code))).toEqual([])
  })

  it.each(importables.map(({ entity }) => [entity.key, entity] as const))(
    '%s has every column that its declaration fills, of the right type',
    async (_, entity) => {
      const connection = await cloneDatabase()
      const columns = await withClient(connection, async (client) => {
        const { rows } = await client.query(
          `select table_name as "table", column_name as "column", case when data_type = 'ARRAY' then substr(udt_name, 2) || '[]' else udt_name end as pg
           from information_schema.columns where table_schema = 'public'`,
        )
        return rows
      })
      const names: Record<string, string> = { integer: 'int4', smallint: 'int2', boolean: 'bool' }
      for (const { table, column, pg } of columnsExpected(entity)) {
        expect(columns).toContainEqual({ table, column, pg: names[pg] ?? pg })
      }
    },
  )
})
