import fc from 'fast-check';
import type { CommentResponse } from '../../src/comments/dto/comment.dto.js';
import { isVisible } from './feeds.js';
import { effect, silently, type Mutation } from './mutation.js';
import { FORBIDDEN, notFound, when, type Refusal } from './refusals.js';
import { anyChoice, anyNumber } from './values.js';
import { commentEvent, commentView } from './views.js';
import type { Choice, Comment, User, World } from './world.js';

/** Kept as it is sent, with its white space. */
const anyBody = fc.constantFrom('**Ask** first', '  two spaces  ', '<b>raw</b>\n', '🛒');

const FLAWS = { body: ' \n ', author_user_id: 'me' };

/** By anyone, on anything: any member may, on what the household has and has not deleted. */
export const createComment: Mutation<{ actor: Choice; target: number; body: string }> = {
  operation: 'POST /comments',
  values: fc.record({ actor: anyChoice, target: anyNumber, body: anyBody }),
  flaws: { ...FLAWS, entity_type: 'comment' },
  attempt: (world, { actor: choice, target: number, body }) => {
    const target = world.pick(world.entities, number);
    const actor = target && world.member(target.owner.household, choice);
    if (!actor) return undefined;
    const { type, id, owner, fields } = target;
    const isDeleted = !fields.active && (type === 'cycle' || type === 'cycle_expense');
    return {
      actor,
      path: '/comments',
      body: { entity_type: type, entity_id: id, body },
      focus: target,
      faults: when(owner.household !== actor.household || isDeleted, notFound(type)),
      effect: effect(201, (made: CommentResponse) => {
        const comment: Comment = {
          ...{ id: made.id, household: actor.household, target, author: actor, body },
          ...{ editedAt: null, active: true },
          ...{ createdAt: made.created_at, updatedAt: made.updated_at },
        };
        world.comments.push(comment);
        tell(world, actor, comment, 'commented');
        return commentView(comment);
      }),
    };
  },
};

/** On the timeline of what was commented on. */
function tell(world: World, actor: User, comment: Comment, action: string): void {
  world.record({ actor, entity: comment.target, action, changes: commentEvent(comment) });
}

/** Of a comment that someone wants to change; strangers are not told that there is one. */
function faultsOf(actor: User, comment: Comment, mayChange: boolean): Refusal[] {
  if (comment.household !== actor.household || !isVisible(comment)) return [notFound('comment')];
  return when(!mayChange, FORBIDDEN);
}

export const editComment: Mutation<{ actor: Choice | undefined; comment: number; body: string }> = {
  operation: 'PATCH /comments/{id}',
  values: fc.record({
    actor: fc.option(anyChoice, { nil: undefined, freq: 1 }),
    comment: anyNumber,
    body: anyBody,
  }),
  flaws: { ...FLAWS, body: null },
  attempt: (world, { actor: choice, comment: number, body }) => {
    const comment = world.pick(world.comments, number);
    const actor = comment && (choice ? world.member(comment.household, choice) : comment.author);
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
          tell(world, actor, comment, 'comment_edited');
        }
        return commentView(comment);
      }),
    };
  },
};

export const removeComment: Mutation<{ actor: Choice; comment: number }> = {
  operation: 'DELETE /comments/{id}',
  values: fc.record({ actor: anyChoice, comment: anyNumber }),
  attempt: (world, { actor: choice, comment: number }) => {
    const comment = world.pick(world.comments, number);
    const actor = comment && world.member(comment.household, choice);
    if (!actor) return undefined;
    return {
      actor,
      path: `/comments/${comment.id}`,
      focus: comment.target,
      faults: faultsOf(actor, comment, actor === comment.author || actor.role === 'admin'),
      effect: silently(() => {
        comment.active = false;
        tell(world, actor, comment, 'comment_deleted');
      }),
    };
  },
};
