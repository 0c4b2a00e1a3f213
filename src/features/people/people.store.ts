import { byPolicies } from '../../platform/db/by-policies.ts'
import { listing } from '../../platform/db/listing.ts'
import { pageSql } from '../../platform/db/page.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { viewSql } from '../../platform/db/view.ts'
import { personView } from './people.view.ts'

const NAME = `fold(coalesce(s.name, s.email))`

/** The seats of an account, by name. */
export const listPeople = listing(
  { q: pg.text, role: pg.text },
  {
    active: 's.active',
    inactive: 'not s.active',
    role: 's.role = $role',
    q: `(strpos(fold(coalesce(s.name, '')), fold($q)) > 0 or strpos(fold(s.email), fold($q)) > 0)`,
  },
  ({ policies, where, continues }) =>
    pageSql(
      {
        item: viewSql(personView, policies),
        from: 'seats s',
        where: ['s.account_id = $account', ...where],
        keys: [
          { sql: NAME, pg: 'text' },
          { sql: 's.id', pg: 'uuid' },
        ],
        descending: false,
      },
      continues,
    ),
)
export const readPerson = byPolicies(
  { account: pg.integer, id: pg.uuid },
  { item: pg.printedJson },
  (policies) =>
    `select ${viewSql(personView, policies)}::text as item from seats s where s.account_id = $account and s.id = $id`,
)
