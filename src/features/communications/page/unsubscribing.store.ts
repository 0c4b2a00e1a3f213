import { notMovedSql } from '../../../platform/db/not-moved.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { LOOK_SQL } from '../../../platform/page/look.ts'

export const findReader = statement(
  { account: pg.integer, customer: pg.uuid },
  {
    agency: pg.text,
    /** `#rrggbb`; null for the program’s own. */
    accent: pg.nullable(pg.text),
    /** A data URL. */
    logo: pg.nullable(pg.text),
    locale: pg.text,
  },
  `
  select ${LOOK_SQL}, coalesce(c.locale, a.locale) as locale
  from customers c join accounts a on a.account_id = c.account_id where c.account_id = $account and c.id = $customer
    and ${notMovedSql('c.account_id')}`,
)
