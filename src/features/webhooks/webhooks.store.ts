import { byPolicies } from '../../platform/db/by-policies.ts'
import { listing } from '../../platform/db/listing.ts'
import { pageSql } from '../../platform/db/page.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import { instantSql, viewSql } from '../../platform/db/view.ts'
import { attributeSql } from '../../records/attribute-sql.ts'
import { seesAllSql } from './sees-all.ts'
import { changeableAttributes, webhookAttributes } from './webhook-attributes.ts'
import { webhookView } from './webhooks.view.ts'

export const SUBSCRIPTIONS = 50
const ALIVE = 't.account_id = $account and t.deleted_at is null'
const THIS = `${ALIVE} and t.id = $id`

/** Subscriptions, the newest first. */
export const listWebhooks = listing({}, {}, ({ policies, continues }) =>
  pageSql(
    {
      item: viewSql(webhookView, policies),
      from: 'webhooks t',
      where: [ALIVE],
      keys: [
        { sql: 't.created_at', pg: 'timestamptz' },
        { sql: 't.id', pg: 'uuid' },
      ],
      descending: true,
    },
    continues,
  ),
)

export const readWebhook = byPolicies(
  { account: pg.integer, id: pg.uuid },
  { item: pg.printedJson, version: pg.integer },
  (policies) => `select ${viewSql(webhookView, policies)}::text as item, t.version from webhooks t where ${THIS}`,
)

const changed = attributeSql(changeableAttributes)
/** Locks a subscription, so that nothing is added to it while it is deleted. */
export const lockWebhookRow = statement(
  { account: pg.integer, id: pg.uuid },
  { active: pg.boolean, version: pg.integer },
  `select t.active, t.version from webhooks t where ${THIS} for no key update`,
)
/** Locks it against transactions that add something to it. */
export const lockToDelete = statement(
  { account: pg.integer, id: pg.uuid },
  { id: pg.uuid },
  `select t.id from webhooks t where ${THIS} for update`,
)
/** The same with its attributes as they would have been read, and whether the role sees all that is sent to it. */
export const lockWebhook = byPolicies(
  { account: pg.integer, id: pg.uuid },
  { ...changed.columns, sees_all: pg.boolean },
  (policies) => `
  select ${changed.stored}, ${seesAllSql(policies)} as sees_all
  from webhooks t where ${THIS} for no key update of t`,
)

const { names, given } = attributeSql(webhookAttributes)
/** No row if the account has the maximum number. The change number lock makes the count exact. */
export const insertWebhook = statement(
  { account: pg.integer, id: pg.uuid, role: pg.text, key: pg.bytes, values: pg.jsonText },
  { id: pg.uuid },
  `
  insert into webhooks (account_id, id, role, signing_key, ${names})
  select $account::integer, $id::uuid, $role, $key, ${names} from ${given}
  where (select count(*) from webhooks t where ${ALIVE}) < ${SUBSCRIPTIONS} returning id`,
)

/** `revives` forgets what failed. */
export const updateWebhook = statement(
  { account: pg.integer, id: pg.uuid, values: pg.jsonText, revives: pg.boolean },
  {},
  `
  update webhooks t set ${changed.set}, updated_at = now(),
    failing_since = case when not $revives::boolean then t.failing_since end,
    failed = case when $revives::boolean then 0 else t.failed end
  from ${changed.given} where ${THIS}`,
)

/** Answers until when the former key signs as well. */
export const rotateKey = (both: string) =>
  statement(
    { account: pg.integer, id: pg.uuid, key: pg.bytes },
    { until: pg.text },
    `
  update webhooks t set former_key = t.signing_key, former_until = now() + interval '${both}', signing_key = $key, updated_at = now()
  where ${THIS} returning ${instantSql('t.former_until')} as until`,
  )

/** Its keys are forgotten at once; the row stays, since its deliveries name it. */
export const deleteStored = statement(
  { account: pg.integer, id: pg.uuid },
  {},
  `
  update webhooks t set deleted_at = now(), updated_at = now(), signing_key = '', former_key = null where ${THIS}`,
)
