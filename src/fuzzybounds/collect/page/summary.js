// Running numbers of a participant: coins, accuracy and times, for breaks and the debriefing.

export function noTrials() {
  const none = { trials: 0, correct: 0, time: 0, responses: 0 };
  return { coins: 0, coinsBefore: 0, easy: none, hard: none, blocks: [] };
}

export function addTrial(tally, record) {
  const before = tally[record.condition];
  const responded = record.rt > 0;
  const next = {
    trials: before.trials + 1,
    correct: before.correct + record.correct,
    time: before.time + record.rt,
    responses: before.responses + (responded ? 1 : 0),
  };
  const last = tally.blocks.at(-1);
  const same = last && last.block === record.block;
  const coins = (same ? last.coins : 0) + record.reward;
  const blocks = [...(same ? tally.blocks.slice(0, -1) : tally.blocks), { block: record.block, coins }];
  return { ...tally, coins: tally.coins + record.reward, [record.condition]: next, blocks };
}

export function accuracy({ trials, correct }) {
  return trials ? correct / trials : null;
}

export function meanTime({ responses, time }) {
  return responses ? time / responses : null;
}
