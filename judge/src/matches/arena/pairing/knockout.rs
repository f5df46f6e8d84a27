//! The knockout: whoever loses a meeting is out.

use super::rounds::MeetingResult;

/// How many meetings each round has. The last has one.
pub(super) fn rounds(bots: usize) -> Vec<usize> {
    let mut left = bots;
    let mut meetings = Vec::new();
    while left > 1 {
        meetings.push(left - left.next_power_of_two() / 2);
        left = left.next_power_of_two() / 2;
    }
    meetings
}

/// The meetings of the next round among these bots, which are in the order of the draw: of those that play, the first meets the
/// last, the second the last but one. If their number is no power of two, the first ones reach the next round without a meeting.
pub(super) fn meetings(left: &[usize]) -> Vec<[usize; 2]> {
    let free = left.len().next_power_of_two() - left.len();
    let playing = &left[free..];
    let half = playing.len() / 2;
    playing[..half].iter().zip(playing.iter().rev()).map(|(&a, &b)| [a, b]).collect()
}

/// The bots that are left after these meetings, still in the order of the draw.
pub(super) fn left(draw: &[usize], results: &[Vec<MeetingResult>]) -> Vec<usize> {
    let loser = |result: &MeetingResult| result.bots[1 - result.winner().0];
    let out: Vec<usize> = results.iter().flatten().map(loser).collect();
    draw.iter().copied().filter(|bot| !out.contains(bot)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With any number of bots one is left, and all others have lost one meeting.
    #[test]
    fn one_bot_is_left() {
        for bots in 2..70 {
            let draw: Vec<usize> = (0..bots).rev().collect();
            let mut results: Vec<Vec<MeetingResult>> = Vec::new();
            for count in rounds(bots) {
                let playing = meetings(&left(&draw, &results));
                assert_eq!(playing.len(), count, "{bots} bots");
                let result = |bots: [usize; 2]| {
                    let won = if (bots[0] + bots[1]).is_multiple_of(3) { [1, 3] } else { [3, 1] };
                    MeetingResult { won, ..MeetingResult::new(bots) }
                };
                results.push(playing.into_iter().map(result).collect());
            }
            assert_eq!(left(&draw, &results).len(), 1);
            assert_eq!(results.iter().flatten().count(), bots - 1);
            assert_eq!(results.last().unwrap().len(), 1);
        }
    }

    #[test]
    fn the_first_of_the_draw_go_on_without_a_meeting() {
        assert_eq!(meetings(&[5, 6, 7, 8, 9]), [[8, 9]]);
        assert_eq!(meetings(&[5, 6, 7, 8]), [[5, 8], [6, 7]]);
        assert_eq!(rounds(5), [1, 2, 1]);
        assert_eq!(rounds(64), [32, 16, 8, 4, 2, 1]);
    }
}
