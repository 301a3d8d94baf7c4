"""Whether two programs found the same: hits by query and target, scores, E-values, and who was cut off where.

Lists end at --top hits. alnsmith keeps the best scores of a query, others the smallest E-values, so full lists may
differ at their ends: such a hit is `cut` where it is no better, in the other's own order, than the last hit of the
other's full list. Anything else that one has and the other has not is `unexplained`.
"""


class Hit:
    """Raw score and E-value as printed; None where the program prints none."""

    __slots__ = ("score", "evalue")

    def __init__(self, score, evalue):
        self.score, self.evalue = score, evalue


def same_evalue(one, other):
    """Equal at three digits."""
    return f"{float(one):.2e}" == f"{float(other):.2e}"


def missing(here, there, top, rank):
    """Of the hits `here` that are not `there`: (those that fell off the end of the other's full list, all others).
    `rank`: a hit's place in that list's order, smaller is better."""
    cut = unexplained = 0
    full = len(there) >= top
    worst = max((rank(hit) for hit in there.values()), default=None)
    for target, hit in here.items():
        if target in there:
            continue
        if full and rank(hit) >= worst:
            cut += 1
        else:
            unexplained += 1
    return cut, unexplained


def compare(ours, theirs, top, own_statistics):
    """`ours`, `theirs`: query -> target -> Hit. `own_statistics`: their E-values are of another method, so that lists end
    elsewhere: scores of what both report are compared, nothing else. Returns counts, and `equal`."""
    found = dict.fromkeys(("ours", "theirs", "common", "scores_differ", "evalues_differ", "cut", "unexplained"), 0)
    for query in sorted(ours.keys() | theirs.keys()):
        here, there = ours.get(query, {}), theirs.get(query, {})
        found["ours"] += len(here)
        found["theirs"] += len(there)
        for target in here.keys() & there.keys():
            found["common"] += 1
            found["scores_differ"] += here[target].score != there[target].score
            if not own_statistics:
                found["evalues_differ"] += not same_evalue(here[target].evalue, there[target].evalue)
        if own_statistics:
            continue
        for one, other, rank in (
            (here, there, lambda hit: float(hit.evalue)),
            (there, here, lambda hit: -hit.score),
        ):
            cut, unexplained = missing(one, other, top, rank)
            found["cut"] += cut
            found["unexplained"] += unexplained
    found["own_statistics"] = own_statistics
    found["equal"] = found["common"] > 0 and not (
        found["scores_differ"] or found["evalues_differ"] or found["unexplained"]
    )
    return found


def words(found, top):
    """What stands beside a ratio."""
    if not found["equal"]:
        return (
            f"HITS DIFFER: {found['scores_differ']} scores and {found['evalues_differ']} E-values of {found['common']} "
            f"hits in common, {found['unexplained']} hits of one alone: no ratio"
        )
    if found["own_statistics"]:
        return (
            f"scores of the {found['common']} hits in common equal; E-values of another method: {found['ours']} and "
            f"{found['theirs']} hits"
        )
    cut = f"; {found['cut']} hits differ where lists of {top} are full" if found["cut"] else ""
    return f"{found['common']} hits equal in score and E-value{cut}"
