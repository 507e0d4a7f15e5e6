import fc from 'fast-check';
import type { CommentResponse } from '../../src/comments/dto/comment.dto.js';
import { FORBIDDEN, invalid, notFound, ofBody, when, type Refusal } from './expected-errors.js';
import { isVisible } from './feeds.js';
import type { Choice, Comment, User, Model } from './model.js';
import { effect, noContent, type Mutation } from './mutation.js';
import { anyChoice, anyNumber } from './values.js';
import { commentEvent, commentView } from './views.js';

/** The service stores the body unchanged, with its white space. */
const anyBody = fc.constantFrom('**Ask** first', '  two spaces  ', '<b>raw</b>\n', '🛒');

const FLAWS = { body: ' \n ', author_user_id: 'me' };

/** Any member may comment on any entity of the household that is not deleted, but for budgets. */
export const createComment: Mutation<{ actor: Choice; target: number; body: string }> = {
  operation: 'POST /comments',
  values: fc.record({ actor: anyChoice, target: anyNumber, body: anyBody }),
  flaws: { ...FLAWS, entity_type: 'comment' },
  attempt: (model, { actor: choice, target: number, body }) => {
    const target = model.pick(model.entities, number);
    const actor = target && model.member(target.owner.household, choice);
    if (!actor) return undefined;
    const { type, id, owner, fields } = target;
    const isDeleted = !fields.active && ['cycle', 'cycle_expense', 'cycle_income'].includes(type);
    return {
      actor,
      path: '/comments',
      body: { entity_type: type, entity_id: id, body },
      focus: target,
      faults:
        type === 'budget'
          ? [ofBody(invalid('entity_type'))]
          : when(owner.household !== actor.household || isDeleted, notFound(type)),
      effect: effect(201, (created: CommentResponse) => {
        const comment: Comment = {
          ...{ id: created.id, household: actor.household, target, author: actor, body },
          ...{ editedAt: null, active: true },
          ...{ createdAt: created.created_at, updatedAt: created.updated_at },
        };
        model.comments.push(comment);
        recordEvent(model, actor, comment, 'commented');
        return commentView(comment);
      }),
    };
  },
};

/** Records the event in the activity of the commented entity. */
function recordEvent(model: Model, actor: User, comment: Comment, action: string): void {
  model.record({ actor, entity: comment.target, action, changes: commentEvent(comment) });
}

/** Errors of a change to a comment; for other households it is not found. */
function faultsOf(actor: User, comment: Comment, mayChange: boolean): Refusal[] {
  if (comment.household !== actor.household || !isVisible(comment)) return [notFound('comment')];
  return when(!mayChange, FORBIDDEN);
}

export const editComment: Mutation<{ actor: Choice | undefined; comment: number; body: string }> = {
  operation: 'PATCH /comments/{id}',
  values: fc.record({
    actor: fc.option(anyChoice, { nil: undefined, freq: 2 }),
    comment: anyNumber,
    body: anyBody,
  }),
  flaws: { ...FLAWS, body: null },
  attempt: (model, { actor: choice, comment: number, body }) => {
    const comment = model.pick(model.comments, number);
    const actor = comment && (choice ? model.member(comment.household, choice) : comment.author);
    if (!actor) return undefined;
    return {
      actor,
      path: `/comments/${comment.id}`,
      body: { body },
      focus: comment.target,
      faults: faultsOf(actor, comment, actor === comment.author),
      effect: effect(200, ({ edited_at, updated_at }: CommentResponse) => {
        if (body !== comment.body) {
          Object.assign(comment, { body, editedAt: edited_at, updatedAt: updated_at });
          recordEvent(model, actor, comment, 'comment_edited');
        }
        return commentView(comment);
      }),
    };
  },
};

export const removeComment: Mutation<{ actor: Choice; comment: number }> = {
  operation: 'DELETE /comments/{id}',
  values: fc.record({ actor: anyChoice, comment: anyNumber }),
  attempt: (model, { actor: choice, comment: number }) => {
    const comment = model.pick(model.comments, number);
    const actor = comment && model.member(comment.household, choice);
    if (!actor) return undefined;
    return {
      actor,
      path: `/comments/${comment.id}`,
      focus: comment.target,
      faults: faultsOf(actor, comment, actor === comment.author || actor.role === 'admin'),
      effect: noContent(() => {
        comment.active = false;
        recordEvent(model, actor, comment, 'comment_deleted');
      }),
    };
  },
};
