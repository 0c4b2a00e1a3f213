import type { Values } from '../../catalogue/read-cells.ts'
import { byPolicies } from '../../platform/db/by-policies.ts'
import { listing } from '../../platform/db/listing.ts'
import { pageSql } from '../../platform/db/page.ts'
import { statement } from '../../platform/db/statement.ts'
import { instantSql, viewSql } from '../../platform/db/view.ts'
import { attributeSql } from '../../records/attribute-sql.ts'
import { seesAllSql } from './sees-all.ts'
import { changeableAttributes, webhookAttributes } from './webhook-attributes.ts'
import { webhookView } from './webhooks.view.ts'

type ById = { account: number; id: string }

export const SUBSCRIPTIONS = 50
const ALIVE = 't.account_id = $account and t.deleted_at is null'
const THIS = `${ALIVE} and t.id = $id`

/** Subscriptions, the newest first. */
export const listWebhooks = listing<never>({}, ({ policies, continues }) =>
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

export const readWebhook = byPolicies<ById, { item: string }>(
  (policies) => `select ${viewSql(webhookView, policies)}::text as item from webhooks t where ${THIS}`,
)

/** Holds a subscription, so that nothing is added to it while it goes. */
export const holdWebhook = statement<ById, { active: boolean }>(
  `select t.active from webhooks t where ${THIS} for no key update`,
)
/** The same against whoever adds something to it, or has. */
export const holdToDelete = statement<ById, { id: string }>(`select t.id from webhooks t where ${THIS} for update`)
/** The same with its attributes as they would have been read, and whether the role sees all that is sent to it. */
export const lockWebhook = byPolicies<ById, Values & { sees_all: boolean }>(
  (policies) => `
  select ${attributeSql(changeableAttributes).stored}, ${seesAllSql(policies)} as sees_all
  from webhooks t where ${THIS} for no key update of t`,
)

const { names, given } = attributeSql(webhookAttributes)
/** No row where the account has as many as it may have. Whoever holds the change number counts what others made. */
export const insertWebhook = statement<ById & { role: string; key: Buffer; values: string }, { id: string }>(`
  insert into webhooks (account_id, id, role, signing_key, ${names})
  select $account::integer, $id::uuid, $role, $key, ${names} from ${given}
  where (select count(*) from webhooks t where ${ALIVE}) < ${SUBSCRIPTIONS} returning id`)

const changed = attributeSql(changeableAttributes)
/** `revives` forgets what failed. */
export const updateWebhook = statement<ById & { values: string; revives: boolean }, never>(`
  update webhooks t set ${changed.set}, updated_at = now(),
    failing_since = case when not $revives::boolean then t.failing_since end,
    failed = case when $revives::boolean then 0 else t.failed end
  from ${changed.given} where ${THIS}`)

/** Answers until when the former key signs as well. */
export const rotateKey = (both: string) =>
  statement<ById & { key: Buffer }, { until: string }>(`
  update webhooks t set former_key = t.signing_key, former_until = now() + interval '${both}', signing_key = $key, updated_at = now()
  where ${THIS} returning ${instantSql('t.former_until')} as until`)

/** Its keys are forgotten at once; the row stays, since its deliveries name it. */
export const deleteStored = statement<ById, never>(`
  update webhooks t set deleted_at = now(), updated_at = now(), signing_key = '', former_key = null where ${THIS}`)
