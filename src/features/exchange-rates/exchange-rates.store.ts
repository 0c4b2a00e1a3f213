import * as pg from '../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../platform/db/statement.ts'
import type { SystemTx } from '../../platform/db/system-tx.ts'
import { UserError } from '../../platform/user-error.ts'
import type { PublishedRates } from './formats/published-rates.ts'

export type SavedCounts = RowFrom<typeof save>

/** Until the commit. Two that claim a new source at once would meet in its second key, which `on conflict` does not name. */
const lockSource = statement(
  { source: pg.text },
  { pg_advisory_xact_lock: pg.nothing },
  'select pg_advisory_xact_lock(hashtext($source))',
)
const claimBase = statement(
  { source: pg.text, base: pg.text },
  { base: pg.text },
  `
  insert into exchange_rate_sources as s (source, base) values ($source, $base)
  on conflict (source) do update set base = s.base returning base`,
)

const save = statement(
  {
    source: pg.text,
    base: pg.text,
    currencies: pg.list(pg.text),
    days: pg.list(pg.date),
    baseUnits: pg.list(pg.numeric),
    currencyUnits: pg.list(pg.numeric),
  },
  { added: pg.integer, changed: pg.integer, unchanged: pg.integer },
  `
  with given as (
    select distinct on (currency, day) currency, day, base_units, currency_units
    from unnest($currencies::text[], $days::date[], $baseUnits::numeric[], $currencyUnits::numeric[])
      with ordinality as g (currency, day, base_units, currency_units, place)
    order by currency, day, place desc
  ), saved as (
    insert into exchange_rates as r (source, base, currency, day, base_units, currency_units)
    select $source, $base, currency, day, base_units, currency_units from given
    on conflict (source, currency, day) do update
      set base_units = excluded.base_units, currency_units = excluded.currency_units, loaded_at = now()
      where (r.base_units, r.currency_units) <> (excluded.base_units, excluded.currency_units)
    returning old.source is null as added
  )
  select count(*) filter (where added)::integer as added, count(*) filter (where not added)::integer as changed,
    ((select count(*) from given) - count(*))::integer as unchanged
  from saved`,
)

/** Newest first, as they were published. */
export const listRates = statement(
  { currency: pg.nullable(pg.text), from: pg.nullable(pg.date), to: pg.nullable(pg.date), limit: pg.integer },
  { day: pg.date, source: pg.text, currency_units: pg.text, currency: pg.text, base_units: pg.text, base: pg.text },
  `
  select day, source, trim_scale(currency_units)::text as currency_units, currency,
    trim_scale(base_units)::text as base_units, base
  from exchange_rates
  where ($currency::text is null or currency = $currency) and ($from::date is null or day >= $from)
    and ($to::date is null or day <= $to)
  order by day desc, source, currency limit $limit`,
)

/** Saves what a source published. Where it repeats a currency and day, the last one holds. */
export async function saveRates(tx: SystemTx, { source, base, rates }: PublishedRates): Promise<SavedCounts> {
  await tx.all(lockSource, { source })
  const known = await tx.one(claimBase, { source, base })
  if (known?.base !== base) {
    throw new UserError(
      'rate_source_in_use',
      `The rates have the base currency ${base}, but the source ${source} has ${known?.base}.`,
    )
  }
  const saved = await tx.one(save, {
    source,
    base,
    currencies: rates.map(({ currency }) => currency),
    days: rates.map(({ day }) => day),
    baseUnits: rates.map(({ baseUnits }) => baseUnits),
    currencyUnits: rates.map(({ currencyUnits }) => currencyUnits),
  })
  return saved as SavedCounts
}

const drop = statement(
  { source: pg.text },
  {},
  `
  with rates as (delete from exchange_rates where source = $source)
  delete from exchange_rate_sources where source = $source`,
)
/** Deletes a source and its rates. Bookings priced with them keep their rates. */
export async function dropRates(tx: SystemTx, source: string): Promise<void> {
  await tx.all(drop, { source })
}
