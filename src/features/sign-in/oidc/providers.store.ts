import { byPolicies } from '../../../platform/db/by-policies.ts'
import { listing } from '../../../platform/db/listing.ts'
import { notMovedSql } from '../../../platform/db/not-moved.ts'
import { pageSql } from '../../../platform/db/page.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../../platform/db/statement.ts'
import { viewSql } from '../../../platform/db/view.ts'
import { providerView } from './providers.view.ts'

export const MOST_PROVIDERS = 10

/** The providers of an account, in the order in which they were made. */
export const listProviders = listing({ publicUrl: pg.text }, {}, ({ policies, where, continues }) =>
  pageSql(
    {
      item: viewSql(providerView, policies),
      from: 'sign_in_providers p',
      where: ['p.account_id = $account', ...where],
      keys: [
        { sql: 'p.created_at', pg: 'timestamptz' },
        { sql: 'p.id', pg: 'uuid' },
      ],
      descending: false,
    },
    continues,
  ),
)
export const readProvider = byPolicies(
  { account: pg.integer, id: pg.uuid, publicUrl: pg.text },
  { item: pg.printedJson },
  (policies) =>
    `select ${viewSql(providerView, policies)}::text as item from sign_in_providers p where p.account_id = $account and p.id = $id`,
)
/** No row where the account has as many as it may. */
export const insertProvider = statement(
  {
    account: pg.integer,
    name: pg.text,
    issuer: pg.text,
    clientId: pg.text,
    secret: pg.bytes,
    active: pg.boolean,
    countsAsSecondFactor: pg.boolean,
  },
  { id: pg.uuid },
  `
  insert into sign_in_providers (account_id, name, issuer, client_id, client_secret, active, counts_as_second_factor)
  select $account, $name, $issuer, $clientId, $secret::bytea, $active, $countsAsSecondFactor
  where (select count(*) from sign_in_providers where account_id = $account) < ${MOST_PROVIDERS}
  returning id`,
)
export const lockProvider = statement(
  { account: pg.integer, id: pg.uuid },
  {
    id: pg.uuid,
    name: pg.text,
    client_id: pg.text,
    active: pg.boolean,
    counts_as_second_factor: pg.boolean,
    version: pg.integer,
  },
  'select id, name, client_id, active, counts_as_second_factor, version from sign_in_providers where account_id = $account and id = $id for update',
)
/** Without a secret it keeps the one that it has. */
export const updateProvider = statement(
  {
    account: pg.integer,
    id: pg.uuid,
    name: pg.text,
    clientId: pg.text,
    secret: pg.nullable(pg.bytes),
    active: pg.boolean,
    countsAsSecondFactor: pg.boolean,
  },
  {},
  `
  update sign_in_providers set name = $name, client_id = $clientId, client_secret = coalesce($secret::bytea, client_secret),
    active = $active, counts_as_second_factor = $countsAsSecondFactor, version = version + 1, updated_at = now()
  where account_id = $account and id = $id`,
)
export const deleteProvider = statement(
  { account: pg.integer, id: pg.uuid },
  { name: pg.text, issuer: pg.text },
  'delete from sign_in_providers where account_id = $account and id = $id returning name, issuer',
)

/** Of accounts that are active and have not moved. */
const ACTIVE = `p.active and a.status = 'active' and ${notMovedSql('a.account_id')}`
export type ProviderInUse = RowFrom<typeof findActiveProvider>
const IN_USE = {
  account: pg.integer,
  id: pg.uuid,
  issuer: pg.text,
  client_id: pg.text,
  client_secret: pg.bytes,
  counts_as_second_factor: pg.boolean,
}
const inUseSql = `
  select p.account_id as account, p.id, p.issuer, p.client_id, p.client_secret, p.counts_as_second_factor
  from sign_in_providers p join accounts a on a.account_id = p.account_id where p.id = $id and ${ACTIVE}`
/** A provider by which people can sign in now. */
export const findActiveProvider = statement({ id: pg.uuid }, IN_USE, inUseSql)
/** The same, of one account. */
export const findOwnProvider = statement(
  { account: pg.integer, id: pg.uuid },
  IN_USE,
  `${inUseSql} and p.account_id = $account`,
)
/** The providers by which people of an account can sign in now. An account without any and one that is unknown look the same. */
export const listActiveProviders = statement(
  { account: pg.integer },
  { id: pg.uuid, name: pg.text },
  `
  select p.id, p.name from sign_in_providers p join accounts a on a.account_id = p.account_id
  where p.account_id = $account and ${ACTIVE} order by p.created_at, p.id`,
)
